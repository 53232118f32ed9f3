/*
 * Limits bind what a statement writes, and people, not the owner of the table. What was there before a
 * limit was set stays valid.
 */
-- Not in the conditions of the triggers: each statement reads those anew, which costs it more than this.
create or replace function private.enforce_limit()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
declare
  v_limits parking.limits;
  v_length interval;
begin
  v_limits := private.limits_of(new.spot_id);
  if v_limits is null then
    return null; -- before all else: mostly nothing is limited, and four rules of this kind look at each claim
  end if;
  if not row_security_active(tg_relid) then
    return null;
  end if;

  v_length := new.end_time - new.start_time;
  if (case tg_argv[0]
    when 'longest_claim_minutes' then
      v_length > make_interval(mins => v_limits.longest_claim_minutes)
      and v_length is distinct from old.end_time - old.start_time
      and to_jsonb(new) ->> 'status' = 'active' -- one that is completed early becomes shorter
    when 'shortest_claim_minutes' then
      v_length < make_interval(mins => v_limits.shortest_claim_minutes)
      and v_length is distinct from old.end_time - old.start_time
      and to_jsonb(new) ->> 'status' = 'active'
    when 'longest_window_days' then
      new.end_time > private.days_after(new.start_time, v_limits.longest_window_days)
      and v_length is distinct from old.end_time - old.start_time
    when 'claim_notice_minutes' then
      new.start_time < clock_timestamp() + make_interval(mins => v_limits.claim_notice_minutes)
      and new.start_time is distinct from old.start_time
    when 'horizon_days' then
      new.end_time > private.days_after(clock_timestamp(), v_limits.horizon_days)
      and new.end_time is distinct from old.end_time
  end) then
    perform private.refuse(tg_name, '23514');
  end if;
  return null;
end;
$$;
