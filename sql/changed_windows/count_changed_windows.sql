create or replace function private.count_changed_windows(
    person_id uuid,
    kind text,
    number integer
)
  returns integer
  language sql
  volatile
  security invoker -- a tool of trigger functions with the rights of the owner: no grant to the API role
  set search_path = ''
as $$
  insert into private.changed_windows as c (person_id, kind, day, number)
  values (
    count_changed_windows.person_id,
    count_changed_windows.kind,
    private.utc_day(clock_timestamp()),
    count_changed_windows.number
  )
  on conflict on constraint changed_windows_pkey do update
     set day = excluded.day,
         number = excluded.number + case when c.day = excluded.day then c.number else 0 end
  returning c.number
$$;

comment on function private.count_changed_windows is
  'Counts windows that a resident changes by a pattern or an exception, and returns how many they have changed on this day.';
