/*
 * The owner of a spot counts on a claim from the cutoff on: it may still end, or take more time. Until then,
 * and for some minutes after it was made, it can be taken back, also when it has begun: who claims by
 * mistake a time that begins now would have no other moment for it.
 */
-- Not in the condition of the trigger: each statement reads it anew, which costs it more than this.
create or replace function private.enforce_cutoff()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
declare
  v_minutes constant integer := (private.limits_of(old.spot_id)).cancellation_cutoff_minutes;
begin
  if v_minutes is null
    or not row_security_active('parking.claims') -- binds people, not the owner of the table
    or clock_timestamp() <= old.start_time - make_interval(mins => v_minutes)
    or private.reason() is not null -- an administrator who gives a reason may
    -- A claim that was moved is as old as it was: moving it again and again would never bind.
    or clock_timestamp() <= old.created_at + make_interval(mins => (private.building()).grace_minutes)
  then
    return case tg_op when 'DELETE' then old else new end;
  end if;

  if tg_op = 'UPDATE'
    and new.status <> 'cancelled'
    and new.start_time <= old.start_time
    and new.end_time >= old.end_time
  then
    return new;
  end if;

  perform private.refuse(tg_name, '23514');
  return null;
end;
$$;

create or replace trigger claims_kept_after_cutoff
  before delete or update of status, start_time, end_time on parking.claims
  for each row
  when (old.status = 'active')
  execute function private.enforce_cutoff();

comment on trigger claims_kept_after_cutoff on parking.claims is
  E'@status 409\n@de Es ist zu spät, diese Reservierung zu stornieren oder zu verschieben.\nIt is too late to cancel or move this claim';
