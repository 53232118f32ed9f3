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
declare
  v_spot_id uuid;
  v_offered tstzmultirange;
  v_windows uuid[];
begin
  select a.spot_id, range_agg(a.during), array_agg(a.id)
    into v_spot_id, v_offered, v_windows
    from parking.patterns p
    join parking.availabilities a on a.spot_id = p.spot_id and a.pattern_id = p.id
   where p.id = renew_pattern.id
   group by a.spot_id;
  perform private.withdraw_windows(p) from parking.patterns p where p.id = renew_pattern.id;
  perform private.note_published(renew_pattern.id, null);
  return query select p.* from private.publish_pattern(renew_pattern.id) p;
  perform private.share_again(v_spot_id, v_offered);
  perform private.keep_offers(v_spot_id, v_windows);
end;
$$;

comment on function private.renew_pattern is
  'Makes the windows of a changed pattern anew, but for those that are claimed or have begun, and the days that the owner left out. What it offers no longer stays on offer where an exception shares it. Who was offered what stays on offer keeps their turn.';
grant execute on function private.renew_pattern to parking_api;
