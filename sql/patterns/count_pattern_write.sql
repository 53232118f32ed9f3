/* One request for a pattern writes dozens of windows, and as many events that stay: somebody who sends them without end would fill the disk of everybody. */
create table if not exists private.pattern_writers (
  person_id uuid,
  day date not null,
  times integer not null default 1,
  constraint pattern_writers_pkey primary key (person_id)
);

comment on table private.pattern_writers is
  'A row for each resident who wrote patterns, also locked so that they do it one after the other.';
comment on column private.pattern_writers.person_id is
  'The resident.';
comment on column private.pattern_writers.day is
  'The day in UTC on which they last did.';
comment on column private.pattern_writers.times is
  'How often they created or changed a pattern on that day.';

alter table private.pattern_writers enable row level security;
-- No policy and no grant: only the trigger function writes it.

create or replace function private.count_pattern_write()
  returns trigger
  language plpgsql
  security definer -- the API role has no access to the counts
  set search_path = ''
as $$
begin
  insert into private.pattern_writers as w (person_id, day)
  values (new.owner_id, private.utc_day(clock_timestamp()))
  on conflict (person_id) do update
     set day = excluded.day,
         times = case when w.day = excluded.day then w.times + 1 else 1 end;
  return null;
end;
$$;

comment on function private.count_pattern_write is
  'Trigger function: counts that a resident created or changed a pattern.';

-- Before patterns_200_at_most, which counts what the others have committed: by name.
create or replace trigger count_pattern_write
  after insert or update of weekdays, starts_at, ends_at, first_day, last_day on parking.patterns
  for each row
  when (row_security_active('parking.patterns')) -- binds people, not the owner of the table
  execute function private.count_pattern_write();
