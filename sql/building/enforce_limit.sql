/* Limits bind what a statement writes. What was there before a limit was set stays valid. */
create or replace function private.enforce_limit()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
declare
  v_is_written constant boolean := tg_op = 'INSERT' or case tg_argv[0]
    when 'end' then new.end_time <> old.end_time
    when 'length' then new.end_time - new.start_time <> old.end_time - old.start_time
  end;
begin
  if v_is_written then
    perform private.refuse(tg_name, '23514');
  end if;
  return null;
end;
$$;
