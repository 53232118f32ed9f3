/* A window that the owner or an administrator withdrew by hand does not come back when its pattern is changed. */
create or replace function private.leave_out_day(pattern_id uuid, day date)
  returns void
  language plpgsql
  volatile
  security definer -- an administrator may not write the owner's pattern
  set search_path = ''
as $$
begin
  update parking.patterns p
     set left_out = p.left_out || leave_out_day.day
   where p.id = leave_out_day.pattern_id
     and leave_out_day.day between private.utc_day(now()) - 2 and p.published_until
     and leave_out_day.day <> all (p.left_out)
     and ((select private.caller_id()) = p.owner_id or (select private.reason()) is not null);
end;
$$;

comment on function private.leave_out_day is
  'Keeps a pattern from publishing a day again, for its owner or an administrator with a reason.';
grant execute on function private.leave_out_day to parking_api;
