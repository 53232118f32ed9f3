create or replace function private.give_reason(reason text)
  returns void
  language plpgsql
  volatile
  set search_path = ''
as $$
begin
  -- A rule of the event log checks the rest when the act is recorded.
  if coalesce(give_reason.reason, '') = '' then
    perform private.refuse('events_reason_is_one_line', '23514');
  end if;
  perform set_config('request.reason', give_reason.reason, true);
end;
$$;

comment on function private.give_reason is
  'Sets the reason of an administrator for the rest of the transaction. The event log and the notifications repeat it.';
grant execute on function private.give_reason to parking_api;
