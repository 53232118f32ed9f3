/* What has begun was offered, and stays. The caller has locked the spot. */
create or replace function private.withdraw_windows(pattern parking.patterns)
  returns void
  language plpgsql
  volatile
  security invoker -- called as the owner of the spot
  set search_path = ''
as $$
declare
  -- Locked, so that nobody claims or frees one of them meanwhile.
  v_ids constant uuid[] := array(
    select a.id
      from parking.availabilities a
     where a.spot_id = pattern.spot_id
       and a.pattern_id = pattern.id
       and a.start_time > clock_timestamp()
       and not a.is_claimed
     order by a.id
       for update
  );
begin
  perform private.keep_closed_claims(v_ids);

  delete from parking.availabilities a
   where a.id = any (v_ids);
end;
$$;

comment on function private.withdraw_windows is
  'Withdraws the windows of a pattern that nobody has claimed and that have not begun.';
grant execute on function private.withdraw_windows to parking_api;
