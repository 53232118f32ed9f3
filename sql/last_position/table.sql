/* The position of the last event. Not the greatest of the table: events are pruned. */
create table if not exists private.last_position (
  position bigint not null default 0,
  kept_after bigint not null default 0
);

comment on table private.last_position is
  'The position of the last event that has one: one row, which whoever gives positions locks.';
comment on column private.last_position.position is
  'The last position that was given.';
comment on column private.last_position.kept_after is
  'The last position of an event that was pruned: who has read further misses none.';

insert into private.last_position
select
 where not exists (select from private.last_position);

alter table private.last_position enable row level security;
-- No policy and no grant: private.order_events alone writes it.

-- See private.new_events.
alter table private.last_position replica identity full;
