/*
 * One request about a pattern or an exception changes dozens of windows, and each leaves events that stay:
 * somebody who sends them without end would fill the disk of everybody.
 */
create table if not exists private.changed_windows (
  person_id uuid,
  kind text,
  day date not null,
  number integer not null,
  constraint changed_windows_pkey primary key (person_id, kind)
);

comment on table private.changed_windows is
  'How many windows residents have changed by their patterns and by their exceptions. A row is locked, so that a resident does so one after the other.';
comment on column private.changed_windows.person_id is
  'The resident.';
comment on column private.changed_windows.kind is
  'By what: pattern or exception.';
comment on column private.changed_windows.day is
  'The day, in UTC, on which they last did.';
comment on column private.changed_windows.number is
  'How many windows they changed on that day.';

alter table private.changed_windows enable row level security;
-- No policy and no grant: only trigger functions write it.
