/*
 * Each window that an exception changes leaves events, and those stay: somebody who makes and deletes
 * exceptions without end would fill the disk of everybody.
 */
create table if not exists private.exception_days (
  person_id uuid,
  day date not null,
  number integer not null,
  constraint exception_days_pkey primary key (person_id)
);

comment on table private.exception_days is
  'A row for each resident whose exceptions have changed windows.';
comment on column private.exception_days.person_id is
  'The resident.';
comment on column private.exception_days.day is
  'The day, in UTC, on which they last did.';
comment on column private.exception_days.number is
  'How many windows they changed on that day.';

alter table private.exception_days enable row level security;
-- No policy and no grant: only the trigger function writes it.

create or replace function private.enforce_few_a_day()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
declare
  v_number integer;
begin
  -- As private.enforce_few_windows does, of new exceptions only.
  insert into private.exception_days as d (person_id, day, number)
  select e.owner_id, private.utc_day(clock_timestamp()), count(*)
    from added a
    join parking.exceptions e on e.id = a.exception_id
   where e.created_at = now()::timestamptz(3)
   group by e.owner_id
      on conflict (person_id) do update
     set day = excluded.day,
         number = excluded.number + case when d.day = excluded.day then d.number else 0 end
  returning d.number into v_number;

  if v_number > tg_argv[0]::integer then
    perform private.refuse(tg_name, '23514');
  end if;
  return null;
end;
$$;

comment on function private.enforce_few_a_day is
  'Trigger function: refuses a new exception to a resident whose exceptions have changed as many windows on this day as the argument says.';
