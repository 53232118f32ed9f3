/* What exceptions did to windows, so that it can be undone. */
create table if not exists private.exception_changes (
  exception_id uuid,
  window_id uuid,
  start_time timestamptz(3),
  end_time timestamptz(3) not null,
  spot_id uuid not null,
  pattern_id uuid,
  pattern_day date,
  constraint exception_changes_pkey primary key (exception_id, window_id, start_time)
);

comment on table private.exception_changes is
  'What exceptions did to windows: the time that one of kind keep took from them, and the windows that one of kind share published.';
comment on column private.exception_changes.exception_id is
  'The exception.';
comment on column private.exception_changes.window_id is
  'The window, or the one that it was a part of. No foreign key: a withdrawn one is gone.';
comment on column private.exception_changes.start_time is
  'The first moment that was taken or published.';
comment on column private.exception_changes.end_time is
  'The first moment after that.';
comment on column private.exception_changes.spot_id is
  'The spot of the window.';
comment on column private.exception_changes.pattern_id is
  'The pattern that published the window, if one did.';
comment on column private.exception_changes.pattern_day is
  'The day of the pattern that the window was published for.';

create index if not exists exception_changes_spot_id_idx
  on private.exception_changes (spot_id);

alter table private.exception_changes enable row level security;
-- No policy and no grant: only functions write and read it.
