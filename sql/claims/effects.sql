/* Sets anew what is free of the window, and keeps the counts of days: the claim and its window are mostly of one day. */
create or replace function private.mark_availability()
  returns trigger
  language plpgsql
  security definer -- the window belongs to the owner of the spot, not to the claimer; only triggers write counts
  set search_path = ''
as $$
declare
  v_change record;
  v_number integer := 0;
  v_is_whole boolean := false;
begin
  -- Here, because a trigger's condition that is long costs each cancellation more.
  if tg_op = 'UPDATE'
    and (new.availability_id, new.status, new.start_time, new.end_time, new.takes)
      is not distinct from
      (old.availability_id, old.status, old.start_time, old.end_time, old.takes)
  then
    return null;
  end if;

  -- Mostly a claim takes a whole window, or gives it back: then nothing of it was, or is, another's.
  if new.holds is null or old.holds is null then
    update parking.availabilities a
       set is_claimed = new.holds is not null,
           free_since = case when new.holds is null then clock_timestamp() else a.free_since end
     where a.id = coalesce(new.holds, old.holds)
       -- With =, the planner would look through all windows of this time.
       and a.during is not distinct from coalesce(new.takes, old.takes)
       and a.is_claimed = (new.holds is null)
       and a.offered is null
    returning a.start_time, a.end_time, 0 as windows_more, case when new.holds is null then -1 else 1 end as claimed_more
         into v_change;
    v_is_whole := found;
  end if;

  if not v_is_whole then
    for v_change in
      select f.*
        from private.set_free(array(
               select a
                 from parking.availabilities a
                where a.id in (new.holds, old.holds) -- the owner of the database may move it
                order by a.id
             )) f
    loop
      v_number := v_number + 1;
      exit when v_number = 1; -- counted below, together with the claim
      perform private.add_day_counts(
        v_change.start_time,
        v_change.end_time,
        windows => v_change.windows_more,
        claimed => v_change.claimed_more
      );
    end loop;
  end if;

  if tg_op = 'UPDATE' and (new.start_time, new.end_time) <> (old.start_time, old.end_time) then
    perform private.add_day_counts(
      claim_start => old.start_time,
      claim_end => old.end_time,
      active => -(old.status = 'active')::integer,
      completed => -(old.status = 'completed')::integer,
      cancelled => -(old.status = 'cancelled')::integer
    );
    old.status := null; -- the new one is counted as one that is added
  end if;
  -- For a new claim, old is null; for a deleted one, new.
  perform private.add_day_counts(
    v_change.start_time,
    v_change.end_time,
    windows => coalesce(v_change.windows_more, 0),
    claimed => coalesce(v_change.claimed_more, 0),
    claim_start => coalesce(new.start_time, old.start_time),
    claim_end => coalesce(new.end_time, old.end_time),
    active => coalesce((new.status = 'active')::integer, 0) - coalesce((old.status = 'active')::integer, 0),
    completed => coalesce((new.status = 'completed')::integer, 0) - coalesce((old.status = 'completed')::integer, 0),
    cancelled => coalesce((new.status = 'cancelled')::integer, 0) - coalesce((old.status = 'cancelled')::integer, 0)
  );

  return null;
end;
$$;

create or replace trigger mark_availability
  after insert or update or delete on parking.claims
  for each row
  execute function private.mark_availability();

/*
 * Sets what a claim takes of its window: the time of the claim where the rest stays on offer, and otherwise all
 * free time that is connected with it. A claim that keeps its time or gives some back may always do so.
 */
create or replace function private.take_time()
  returns trigger
  language plpgsql
  security definer -- locks a window of the owner of the spot, and reads what others take of it
  set search_path = ''
as $$
declare
  v_now timestamptz;
  v_span tstzrange;
  v_rest_stays boolean;
  v_window parking.availabilities;
  v_free tstzmultirange;
begin
  -- Claims of one window wait for each other here, and for private.reconcile. Also one that ends, unless it
  -- holds nothing: who makes another at its time then never waits for it while it waits for the window.
  select a.* into v_window
    from parking.availabilities a
   where a.id = case tg_op when 'DELETE' then old.holds else new.availability_id end
     for no key update;
  if tg_op = 'DELETE' then
    return old;
  end if;
  if new.status = 'cancelled' then
    new.takes := null;
    if old.status <> 'cancelled' then
      new.cancelled_by := private.actor_id(); -- the event log is pruned, and reports ask years later
    end if;
    return new;
  end if;
  select b.rest_stays_on_offer into v_rest_stays from parking.building b;
  v_now := date_trunc('milliseconds', clock_timestamp());
  -- Before its beginning it has used nothing, and keeps its time. Not a later moment than that of the
  -- change: claims_closed_stay_closed compares them.
  if tg_op = 'UPDATE' and v_rest_stays
    and old.status = 'active' and new.status = 'completed'
    and new.start_time < v_now
  then
    new.end_time := least(new.end_time, v_now);
  end if;
  if new.start_time >= new.end_time then
    return new; -- claims_start_before_end
  end if;
  v_span := tstzrange(new.start_time, new.end_time);

  if tg_op = 'UPDATE' and new.availability_id = old.availability_id and v_span <@ old.held then
    if v_rest_stays then
      new.takes := v_span;
    end if;
    return new;
  end if;
  if v_window.id is null and new.availability_id is not null then
    -- It was withdrawn just now. Two claims of it would wait for each other: nothing else orders them.
    perform private.refuse('claims_of_an_availability', '23503');
  end if;
  if not coalesce(v_window.during @> v_span, false) then
    -- claims_within_availability; of a claimed window, claims_one_per_availability comes first
    new.takes := case when v_window.is_claimed then range_merge(v_window.during, v_span) else v_span end;
    return new;
  end if;
  if v_window.offered is not null and not v_window.offered @> v_span then
    new.takes := null; -- claims_not_in_kept_time
    return new;
  end if;
  if v_rest_stays then
    new.takes := v_span;
    return new;
  end if;

  if v_window.free is null and tg_op = 'INSERT' then
    new.takes := v_window.during; -- of a claimed window, claims_one_per_availability
    return new;
  end if;

  v_free := private.free_times(v_window);
  if tg_op = 'UPDATE' then
    v_free := v_free + coalesce(tstzmultirange(old.takes), '{}');
  end if;
  -- If it is not free, claims_one_per_availability refuses it.
  new.takes := coalesce((select f from unnest(v_free) f where f @> v_span), v_span);
  return new;
end;
$$;

-- Triggers run in the order of their names: after the rules, which judge the times that the client wrote.
create or replace trigger take_time
  before insert or delete or update of availability_id, status, start_time, end_time on parking.claims
  for each row
  execute function private.take_time();
