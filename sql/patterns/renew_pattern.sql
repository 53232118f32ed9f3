create or replace function private.renew_pattern(id uuid)
  returns table (
    day date,
    start_time timestamptz,
    end_time timestamptz,
    outcome text,
    rule text
  )
  language plpgsql
  volatile
  security invoker -- called as the owner of the spot
  set search_path = ''
as $$
begin
  perform private.withdraw_windows(p) from parking.patterns p where p.id = renew_pattern.id;
  perform private.note_published(renew_pattern.id, null);
  return query select p.* from private.publish_pattern(renew_pattern.id) p;
end;
$$;

comment on function private.renew_pattern is
  'Makes the windows of a changed pattern anew, but for those that are claimed or have begun, and the days that the owner left out.';
grant execute on function private.renew_pattern to parking_api;
