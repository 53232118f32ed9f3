/*
 * Triggers write events here. The table has no index, so that a claim pays for none. private.order_events moves
 * its rows to private.events a moment later; a query of private.events reads these rows too.
 */
create table if not exists private.new_events (
) inherits (private.events);

comment on table private.new_events is
  'Events that have no position yet.';

alter table private.new_events enable row level security;
-- No policy and no grant, as those of private.events.

-- Without a key, as logical replication needs it, by which a building moves to a newer server.
alter table private.new_events replica identity full;
