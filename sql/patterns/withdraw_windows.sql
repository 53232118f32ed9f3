/* What has begun was offered, and stays. The caller has locked the spot. */
create or replace function private.withdraw_windows(pattern parking.patterns)
  returns void
  language plpgsql
  volatile
  security definer -- private.withdraw_window moves what keeps cancelled claims into the past
  set search_path = ''
as $$
declare
  v_ids uuid[];
begin
  -- So that nobody claims one of them or frees another meanwhile. Also those that seem to be claimed: a
  -- snapshot may be older than the end of that claim, and then only the lock fails.
  perform
     from parking.availabilities a
    where a.spot_id = pattern.spot_id
      and a.pattern_id = pattern.id
      and a.owner_id = (select private.caller_id())
      and a.start_time > clock_timestamp()
    order by a.id
      for update;

  v_ids := array(
    select a.id
      from parking.availabilities a
     where a.spot_id = pattern.spot_id
       and a.pattern_id = pattern.id
       and a.owner_id = (select private.caller_id())
       and a.start_time > clock_timestamp()
       and not a.is_claimed
  );
  perform private.withdraw_window(c.availability_id)
     from (
       select distinct claims.availability_id
         from parking.claims
        where claims.availability_id = any (v_ids)
     ) c;

  -- In one statement, for there are dozens. Those that are kept have no pattern any more.
  delete from parking.availabilities a
   where a.id = any (v_ids)
     and a.pattern_id = pattern.id;
end;
$$;

comment on function private.withdraw_windows is
  'Withdraws the windows of a pattern of the caller that nobody has claimed and that have not begun.';
grant execute on function private.withdraw_windows to parking_api;
