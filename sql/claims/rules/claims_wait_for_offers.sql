/*
 * The turn belongs to the first person in line who can still take the time. A time that became free just now is kept
 * for the first who will be told of it (private.tell_waiting), for as long as one turn.
 */
create or replace function private.enforce_offers()
  returns trigger
  language plpgsql
  security definer -- the wishes are those of others
  set search_path = ''
  set plan_cache_mode = force_generic_plan -- to plan these small queries for each claim would double its cost
as $$
declare
  v_now constant timestamptz := clock_timestamp(); -- one moment, so that indexes serve it
  v_each interval;
  v_window parking.availabilities;
  v_taken tstzmultirange;
  v_holder_id uuid;
  v_until timestamptz;
begin
  -- Nearly nothing while nobody has ever waited: the table has no page then. A longer condition of the
  -- trigger would cost more, because each statement reads it anew.
  if new.status = 'cancelled' or pg_relation_size('parking.wishes', 'main') = 0 then
    return null;
  end if;
  v_each := make_interval(mins => (private.building()).offer_minutes);
  if v_each is null or not exists (
    select
      from parking.wishes w
     where w.claim_id is null
       and w.start_time > v_now
       and w.start_time < upper(new.takes)
  ) then
    return null;
  end if;

  v_taken := tstzmultirange(new.takes);
  if tg_op = 'UPDATE' then
    v_taken := v_taken - tstzmultirange(old.takes); -- what it has already, it takes from nobody
  end if;
  select a.* into v_window from parking.availabilities a where a.id = new.availability_id;

  -- One statement, because two would both miss a person who is notified between them.
  select h.wisher_id, h.until
    into v_holder_id, v_until
    from (
      select w.wisher_id, w.offered_until as until, false as is_next, w.created_at, w.id
        from private.fitting_wishes(v_window) w
        join parking.profiles p on p.id = w.wisher_id and p.is_approved
       where w.availability_id = v_window.id
         and w.offered_until > v_now
         and v_taken && tstzrange(w.start_time, w.end_time)
      union all
      select w.wisher_id, v_window.free_since + v_each, true, w.created_at, w.id
        from private.waiting_for(v_window) w
       where v_window.free_since + v_each > v_now
         and v_taken && tstzrange(w.start_time, w.end_time)
    ) h
   order by h.is_next, h.until, h.created_at, h.id
   limit 1;

  if v_holder_id <> new.claimer_id then
    raise exception using
      errcode = '23514',
      message = format('refused by rule "%s"', tg_name),
      constraint = tg_name,
      -- {until} in the message of the rule
      hint = concat_ws(' ', private.iso8601(v_until), (private.building()).time_zone);
  end if;
  return null;
end;
$$;

-- After the claim, not before: it may have waited for the transaction that offers its window.
create or replace trigger claims_wait_for_offers
  after insert or update of start_time, end_time on parking.claims
  for each row
  when (row_security_active('parking.claims')) -- binds people, not the owner of the table
  execute function private.enforce_offers();

comment on trigger claims_wait_for_offers on parking.claims is
  E'@status 409\n@de Bis {until} ist der Stellplatz jemandem vorbehalten, der darauf gewartet hat.\nUntil {until} this is offered to somebody who waited for it';
