/*
 * Windows by hand, with a live claim, or that have begun stay. The rest of what the sources share is published
 * in windows of its own. It writes only the difference: run twice, it changes nothing.
 *
 * It acts as the owner of the spot. What a rule refuses is not published, and what was on offer stays.
 */
create or replace function private.reconcile(spot_id uuid)
  returns void
  language plpgsql
  volatile
  security invoker
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
