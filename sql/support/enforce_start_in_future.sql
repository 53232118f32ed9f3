/* A start in the past is refused; one that has passed since it was written may stay, not move. */
create or replace function private.enforce_start_in_future()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  -- The wall clock, not now(): a transaction that has waited must not write into the past.
  if new.start_time <= clock_timestamp()
    and (tg_op = 'INSERT' or new.start_time is distinct from old.start_time)
  then
    perform private.refuse(tg_name, '23514');
  end if;
  return null;
end;
$$;

comment on function private.enforce_start_in_future is
  'Trigger function: a start_time that is written lies in the future.';
