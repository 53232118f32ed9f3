/* What has begun was offered, and stays. The caller has locked the spot. */
create or replace function private.withdraw_windows(pattern parking.patterns)
  returns void
  language plpgsql
  volatile
  security definer -- private.withdraw_window moves what keeps cancelled claims into the past
  set search_path = ''
as $$
declare
  -- Locked, so that nobody claims one of them or frees another meanwhile.
  v_ids constant uuid[] := array(
    select a.id
      from parking.availabilities a
     where a.spot_id = pattern.spot_id
       and a.pattern_id = pattern.id
       and a.owner_id = (select private.caller_id())
       and a.start_time > clock_timestamp()
       and not a.is_claimed
     order by a.id
       for update
  );
begin
  perform private.withdraw_window(w.id) from unnest(v_ids) w (id);
end;
$$;

comment on function private.withdraw_windows is
  'Withdraws the windows of a pattern of the caller that nobody has claimed and that have not begun.';
grant execute on function private.withdraw_windows to parking_api;
