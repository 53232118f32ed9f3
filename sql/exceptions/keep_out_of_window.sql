/* A window that is published is whole at first, so that each exception can give back what it takes. */
create or replace function private.keep_out_of_window(id uuid)
  returns void
  language plpgsql
  volatile
  security definer -- cutting gives less than was offered: limits that came later do not bind it
  set search_path = ''
as $$
begin
  perform private.withdraw_kept(e, a.spot_id, a.during)
     from parking.availabilities a
     join parking.exceptions e
       on e.owner_id = a.owner_id
      and e.kind = 'keep'
      and coalesce(e.spot_id, a.spot_id) = a.spot_id
      and e.start_time < a.end_time
      and e.end_time > a.start_time
    where a.id = keep_out_of_window.id
      and a.owner_id = (select private.caller_id())
    order by e.start_time, e.id;
end;
$$;

comment on function private.keep_out_of_window is
  'Takes the time of the caller''s exceptions of kind keep from a window of theirs.';
grant execute on function private.keep_out_of_window to parking_api;
