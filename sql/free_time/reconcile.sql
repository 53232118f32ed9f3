/* A caller whose snapshot is older than another change of the plans fails, and tries again: see private.take_turn. */
create or replace function private.lock_spot_to_reconcile(spot_id uuid)
  returns parking.spots
  language plpgsql
  security definer -- a claimer may lock neither another's spot nor take a turn
  set search_path = ''
as $$
declare
  v_spot parking.spots;
begin
  perform private.require_trigger();
  select s.* into v_spot
    from parking.spots s
   where s.id = lock_spot_to_reconcile.spot_id
     for no key update;
  if found then
    perform private.take_turn('plans', v_spot.owner_id);
    -- A claim that is being made is seen afterwards. Before private.lock_windows, as a claim locks them.
    perform
       from parking.availabilities a
      where a.spot_id = v_spot.id
        and a.end_time > clock_timestamp()
      order by a.id
        for no key update;
  end if;
  return v_spot;
end;
$$;

comment on function private.lock_spot_to_reconcile is
  'Locks a spot, what its owner plans, and its windows that have not ended, until the transaction ends.';
grant execute on function private.lock_spot_to_reconcile to parking_api;

/*
 * Mostly all can be published in one statement. Where a rule refuses one of them, each half is tried alone: a
 * spot may have thousands.
 */
create or replace function private.publish(
    spot parking.spots,
    sources uuid[],
    patterns uuid[],
    spans tstzrange[]
)
  returns text
  language plpgsql
  security invoker -- the limits of the building bind what is published
  set search_path = ''
as $$
declare
  v_half constant integer := cardinality(spans) / 2;
  v_rule text;
  v_message text;
begin
  if spans is null then
    return null;
  end if;
  delete from parking.availabilities a
   where a.spot_id = (spot).id
     and a.during && (select range_agg(s) from unnest(spans) s);
  insert into parking.availabilities
    (spot_id, owner_id, start_time, end_time, source_id, pattern_id)
  select (spot).id, (spot).owner_id, lower(w.span), upper(w.span), w.source_id, w.pattern_id
    from unnest(sources, patterns, spans) w (source_id, pattern_id, span)
   order by w.span;
  return null;
exception
  when integrity_constraint_violation or insufficient_privilege then
    get stacked diagnostics v_rule = constraint_name, v_message = message_text;
    -- A policy has its name in the message only.
    v_rule := coalesce(nullif(v_rule, ''), substring(v_message from 'policy "([^"]+)" for table'));
    if v_rule is null or v_rule = 'approved_account_required' then
      raise; -- no rule of windows, but a fault, or an owner who is not approved any more
    end if;
    if v_half > 0 then
      perform private.publish(spot, sources[:v_half], patterns[:v_half], spans[:v_half]),
              private.publish(spot, sources[v_half + 1:], patterns[v_half + 1:], spans[v_half + 1:]);
    end if;
    return v_rule;
end;
$$;

comment on function private.publish is
  'Publishes windows of sources in place of those in their way, but for those that a rule refuses. Returns the first such rule.';
grant execute on function private.publish to parking_api;

/*
 * Windows by hand, with a live claim, or that have begun stay. The rest of what the sources share is published
 * in windows of its own. It writes only the difference: run twice, it changes nothing.
 *
 * It acts as the owner of the spot. What a rule refuses is not published, and what was on offer stays.
 */
create or replace function private.reconcile(spot_id uuid)
  returns void
  language plpgsql
  set search_path = ''
as $$
declare
  v_spot constant parking.spots := private.lock_spot_to_reconcile(reconcile.spot_id);
  v_caller constant text := current_setting('request.jwt.claims', true);
  v_reason constant text := current_setting('request.reason', true);
  v_begun constant timestamptz := private.next_minute();
  v_building constant parking.building := private.building();
  v_limits constant parking.limits := private.limits_of(reconcile.spot_id);
  v_horizon timestamptz;
  v_taken tstzmultirange;
  v_source record;
  v_gaps tstzmultirange;
  v_sources uuid[] := '{}';
  v_patterns uuid[] := '{}';
  v_missing tstzmultirange[] := '{}';
  v_spans tstzrange[];
  v_wanted tstzmultirange;
begin
  if v_spot.id is null then
    return;
  end if;
  perform set_config('request.jwt.claims', jsonb_build_object('sub', v_spot.owner_id)::text, true),
          set_config('request.reason', '', true); -- an administrator's

  if v_spot.retired_at is null and private.is_approved() then
    select coalesce(range_agg(a.during), '{}') into v_taken
      from parking.availabilities a
     where a.spot_id = v_spot.id
       and a.end_time > v_begun
       and (a.source_id is null or a.start_time <= v_begun or private.is_held(a.id));

    -- Each step is one of plpgsql alone: an owner may have two hundred patterns.
    for v_source in select s.* from private.source_spans(v_spot.id) s order by s.rank loop
      v_gaps := tstzmultirange(v_source.span * tstzrange(v_begun, null)) - v_source.withdrawn - v_taken;
      if v_source.pattern_id is not null and lower(v_gaps) = v_begun then
        -- A day that has begun is not published; an absence goes on.
        v_gaps := (select coalesce(range_agg(g), '{}') from unnest(v_gaps) g where lower(g) > v_begun);
      end if;
      continue when isempty(v_gaps);
      v_sources := v_sources || v_source.source_id;
      v_patterns := v_patterns || v_source.pattern_id;
      v_missing := v_missing || v_gaps;
      v_taken := v_taken + v_gaps;
    end loop;
    v_horizon := private.days_after(clock_timestamp(), v_limits.horizon_days);
    select coalesce(range_agg(p.piece), '{}'),
           array_agg(w.source_id order by p.piece) filter (where m.is_missing),
           array_agg(w.pattern_id order by p.piece) filter (where m.is_missing),
           array_agg(p.piece order by p.piece) filter (where m.is_missing)
      into v_wanted, v_sources, v_patterns, v_spans
      from unnest(v_sources, v_patterns, v_missing) w (source_id, pattern_id, gaps)
     cross join lateral unnest(w.gaps) gap
     cross join lateral private.pieces_of(gap, v_limits) p (piece)
     cross join lateral (
       select not exists (
         select
           from parking.availabilities a
          where a.spot_id = v_spot.id
            and a.source_id = w.source_id
            and a.during = p.piece
       )
         -- Not yet: a later run publishes it.
         and (v_horizon is null or upper(p.piece) <= v_horizon) as is_missing
     ) m;

    delete from parking.availabilities a
     where a.spot_id = v_spot.id
       and a.source_id is not null
       and a.start_time > v_begun
       and not private.is_held(a.id)
       and not a.during && v_wanted; -- those that are in the way give way below
    perform private.publish(v_spot, v_sources, v_patterns, v_spans);
    perform private.note_published(v_spot.id, v_building, v_limits);
  end if;

  perform private.set_offered(v_spot.id);
  perform set_config('request.jwt.claims', v_caller, true),
          set_config('request.reason', v_reason, true);
end;
$$;

comment on function private.reconcile is
  'Makes the windows of a spot what its owner''s patterns and exceptions say, beside those by hand and those that are claimed.';
grant execute on function private.reconcile to parking_api;

/* Only a trigger knows what a person did by hand and what follows from it. */
create or replace function private.require_trigger()
  returns void
  language plpgsql
  stable
  set search_path = ''
as $$
begin
  if pg_trigger_depth() = 0 then
    raise exception using
      errcode = 'insufficient_privilege',
      message = 'Only triggers do this: say a pattern again, and its spot is set anew';
  end if;
end;
$$;

comment on function private.require_trigger is
  'Refuses what only triggers do to who calls it by hand.';
grant execute on function private.require_trigger to parking_api;

/*
 * The one place that computes the free part of a window. It reads the rows, so it needs no record of earlier
 * changes. The caller has locked the window, or its spot.
 */
create or replace function private.set_free(windows parking.availabilities[])
  returns table (
    id uuid,
    start_time timestamptz,
    end_time timestamptz,
    windows_more integer,
    claimed_more integer
  )
  language sql
  security invoker -- a tool of functions with the rights of the owner: no grant to the API role
  set search_path = ''
as $$
  with anew as (
    select w.id,
           w.during,
           w.offered,
           f.free,
           t.claims > 0 and isempty(f.free) as is_claimed
      from unnest(set_free.windows) w
     cross join lateral (
       select count(*) as claims, range_agg(c.takes) as taken
         from parking.claims c
        where c.holds = w.id
     ) t
     cross join lateral (
       select coalesce(w.offered, tstzmultirange(w.during)) - coalesce(t.taken, '{}') as free
     ) f
  )
  update parking.availabilities a
     set offered = n.offered,
         is_claimed = n.is_claimed,
         free = case
           when n.free <> tstzmultirange(n.during) and not n.is_claimed
             then private.spans(n.free)
         end,
         free_since = case
           when n.free <@ private.free_times(a) then a.free_since
           else clock_timestamp()
         end
    from anew n
   where a.id = n.id
     and (
       a.offered is distinct from n.offered
       or n.free <> private.free_times(a)
       or a.is_claimed <> n.is_claimed
     )
  returning a.id,
            a.start_time,
            a.end_time,
            old.is_hidden::integer - new.is_hidden::integer,
            new.is_claimed::integer - old.is_claimed::integer
$$;

comment on function private.set_free is
  'Sets anew what is free of these windows, whose column "offered" says what is offered of them. Returns what that changes of the counts of days.';

/*
 * A window that its owner published by hand is offered but for the times that the owner keeps. A window of a
 * source is offered as far as the sources still share its time. The past does not change, and what is claimed
 * counts as offered.
 */
create or replace function private.set_offered(spot_id uuid)
  returns void
  language plpgsql
  security definer -- people do not write what follows from the rows; it sets the same for every caller
  set search_path = ''
as $$
declare
  v_now constant timestamptz := date_trunc('milliseconds', clock_timestamp());
  v_past constant tstzmultirange := tstzmultirange(tstzrange(null, v_now));
  v_is_retired constant boolean := exists (
    select from parking.spots s where s.id = set_offered.spot_id and s.retired_at is not null
  );
  v_kept constant tstzmultirange := private.kept_times(set_offered.spot_id, 'infinity');
  v_said constant tstzmultirange := (
    select coalesce(range_agg(x.said), '{}')
      from (
        select unnest(tstzmultirange(s.span) - s.withdrawn) as said
          from private.source_spans(set_offered.spot_id) s
      ) x
  );
  v_window parking.availabilities;
  v_offered tstzmultirange;
  v_changed parking.availabilities[] := '{}';
begin
  perform private.require_trigger();
  for v_window in
    select a.*
      from parking.availabilities a
     where a.spot_id = set_offered.spot_id
       and a.end_time > v_now
       and not (v_is_retired and a.is_claimed) -- nothing of it is free, and nothing will be
     order by a.id
       for no key update
  loop
    v_offered := case
      when v_is_retired then '{}'
      when v_window.source_id is null then tstzmultirange(v_window.during)
      else tstzmultirange(v_window.during) * v_said
    end - v_kept - v_past;
    v_offered := coalesce(v_window.offered, tstzmultirange(v_window.during)) * v_past + v_offered;
    -- Null only where nothing is withdrawn: who frees what is claimed asks (private.freed_by_claims).
    v_offered := case
      when v_offered <> tstzmultirange(v_window.during) then v_offered + coalesce(
        (select range_agg(c.held) from parking.claims c where c.holds = v_window.id), '{}'
      )
    end;
    if v_offered is distinct from v_window.offered then
      v_window.offered := v_offered;
      v_changed := v_changed || v_window;
    end if;
  end loop;

  perform private.add_day_counts(f.start_time, f.end_time, windows => f.windows_more, claimed => f.claimed_more)
     from private.set_free(v_changed) f
    where (f.windows_more, f.claimed_more) <> (0, 0);
end;
$$;

comment on function private.set_offered is
  'Sets anew what is offered, and what is free, of the windows of a spot that have not ended. The caller has locked the spot.';
grant execute on function private.set_offered to parking_api;
