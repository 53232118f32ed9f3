/*
 * One request about a pattern writes dozens of windows, and as many events that stay: somebody who sends
 * them without end would fill the disk of everybody.
 */
create table if not exists private.pattern_changes (
  person_id uuid,
  day date not null,
  number integer not null,
  constraint pattern_changes_pkey primary key (person_id)
);

comment on table private.pattern_changes is
  'A row for each resident who has written patterns. It is locked, so that they do it one after the other.';
comment on column private.pattern_changes.person_id is
  'The resident.';
comment on column private.pattern_changes.day is
  'The day, in UTC, on which they last did.';
comment on column private.pattern_changes.number is
  'How often they created or changed a pattern on that day.';

alter table private.pattern_changes enable row level security;
-- No policy and no grant: only the trigger function writes it.

create or replace function private.enforce_few_changes()
  returns trigger
  language plpgsql
  security definer -- the API role has no access to the counts
  set search_path = ''
as $$
declare
  v_number integer;
begin
  insert into private.pattern_changes as c (person_id, day, number)
  values (new.owner_id, private.utc_day(clock_timestamp()), 1)
  on conflict (person_id) do update
     set day = excluded.day,
         number = case when c.day = excluded.day then c.number + 1 else 1 end
  returning c.number into v_number;

  if v_number > tg_argv[0]::integer then
    perform private.refuse(tg_name, '23514');
  end if;
  return null;
end;
$$;

comment on function private.enforce_few_changes is
  'Trigger function: refuses a pattern to a resident who has written as many on this day as the argument says.';
