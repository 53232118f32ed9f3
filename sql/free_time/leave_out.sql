/* It changes only plans of the same owner, because an inserted window may name any source. */
create or replace function private.leave_out("window" parking.availabilities)
  returns void
  language plpgsql
  volatile
  security definer -- an administrator may not write the plans of others
  set search_path = ''
as $$
begin
  perform private.require_trigger();
  update parking.patterns p
     set withdrawn = p.withdrawn * tstzmultirange(tstzrange(now(), null)) + tstzmultirange((leave_out."window").during)
   where p.id = (leave_out."window").source_id
     and p.spot_id = (leave_out."window").spot_id
     and ((select private.caller_id()) = p.owner_id or (select private.reason()) is not null);
  update parking.exceptions e
     set withdrawn = e.withdrawn + tstzmultirange((leave_out."window").during)
   where e.id = (leave_out."window").source_id
     and e.owner_id = (leave_out."window").owner_id
     and ((select private.caller_id()) = e.owner_id or (select private.reason()) is not null);
end;
$$;

comment on function private.leave_out is
  'Keeps a pattern or an exception from publishing a time again that was withdrawn by hand.';
grant execute on function private.leave_out to parking_api;
