/*
 * Of those to whom the time is offered, the turn is that of who asked first and can still take it: who was
 * suspended, withdrew or has another claim is passed over. What became free just now is kept until those who
 * wait for it are told (private.tell_waiting), for as long as a turn at most.
 */
create or replace function private.enforce_offers()
  returns trigger
  language plpgsql
  security definer -- the wishes are those of others
  set search_path = ''
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
  if v_each is null then
    return null;
  end if;

  v_taken := tstzmultirange(new.takes);
  if tg_op = 'UPDATE' then
    v_taken := v_taken - tstzmultirange(old.takes); -- what it has already, it takes from nobody
  end if;
  select a.* into v_window from parking.availabilities a where a.id = new.availability_id;

  select w.wisher_id, w.offered_until
    into v_holder_id, v_until
    from parking.wishes w
    join parking.profiles p on p.id = w.wisher_id and p.is_approved
    join parking.spots s on s.id = new.spot_id
   where w.claim_id is null
     and w.availability_id = v_window.id
     and w.offered_until > v_now
     and v_taken && tstzrange(w.start_time, w.end_time)
     -- They can still take it: the window and the spot may have changed since.
     and private.free_times(v_window) @> tstzrange(w.start_time, w.end_time)
     and coalesce(w.spot_id, s.id) = s.id
     and coalesce(w.building_section, s.building_section) = s.building_section
     and w.wisher_id <> s.owner_id
   order by w.offered_until, w.created_at, w.id
   limit 1;

  if not found and v_window.free_since + v_each > v_now then
    select w.wisher_id, v_window.free_since + v_each
      into v_holder_id, v_until
      from private.waiting_for(v_window) w
     where v_taken && tstzrange(w.start_time, w.end_time)
     order by w.created_at, w.id
     limit 1;
  end if;

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

comment on function private.enforce_offers is
  'Trigger function: refuses a claim of a time that is offered to another at the moment.';
