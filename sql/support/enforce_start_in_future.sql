/* Refuses a start in the past. A start that has passed since it was written may stay as it is. */
create or replace function private.enforce_start_in_future()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  -- The wall clock, not now(): the start may have passed while the transaction waited.
  if new.start_time <= clock_timestamp()
    and (tg_op = 'INSERT' or new.start_time is distinct from old.start_time)
  then
    perform private.refuse(tg_name, '23514');
  end if;
  return null;
end;
$$;

comment on function private.enforce_start_in_future is
  'Trigger function: refuses to write a start_time that is not in the future.';
