/*
 * Each claim is one like any other: all rules judge it, and a day that one of them refuses is left out. The spot that
 * serves most of the days comes first, so that people need not look for another each time. Of equals, a favorite one
 * does, then one of the section where the caller has a spot.
 */
create or replace function private.claim_days(series private.claim_series, language text)
  returns json
  language plpgsql
  set search_path = ''
as $$
declare
  v_zone constant text := (private.building()).time_zone;
  v_spans tstzrange[];
  v_windows jsonb;
  v_spot_ids uuid[];
  v_window_id uuid;
  v_spot_number text;
  v_reason text;
  v_rule text;
  v_hint text;
  v_messages jsonb; -- of the rules of claims, once one of them refuses
  v_days json[] := '{}';
begin
  perform private.require_approved();

  -- With both bounds, because a change of the clock may leave a day no time: then a rule says so.
  v_spans := array(
    select tstzrange(t.start_time, t.end_time, '[]')
      from private.pattern_spans(
        series.weekdays,
        series.starts_at,
        series.ends_at,
        greatest(series.first_day, (clock_timestamp() at time zone v_zone)::date),
        series.last_day,
        v_zone
      ) t
     where t.start_time > clock_timestamp()
     order by t.day
  );
  series.number_of_days := cardinality(v_spans); -- or a rule refuses

  with days as materialized (
    select d.day, d.span, private.open_since(lower(d.span)) as since
      from unnest(v_spans) with ordinality d (span, day)
  ),
  fitting as materialized (
    select d.day,
           a.id,
           s.id as spot_id,
           count(*) over (partition by s.id) as days,
           s.id in (select f.spot_id from parking.favorite_spots f) as is_favorite,
           s.building_section in (
             select o.building_section from parking.spots o where o.owner_id = (select private.caller_id())
           ) as is_near,
           s.spot_number
      from days d
     cross join lateral (
       select w.id, w.spot_id
         from parking.availabilities w
        where w.start_time between d.since and lower(d.span)
          and w.end_time >= upper(d.span)
          and not w.is_claimed
          and (w.free is null or private.has_free(w.free, lower(d.span), upper(d.span)))
          and w.owner_id <> (select private.caller_id())
       offset 0 -- by the index of each day, not all windows for each day
     ) a
      join parking.spots s on s.id = a.spot_id
     -- The planner sees which of the two are given.
     where (series.spot_id is null or s.id = series.spot_id)
       and (series.building_section is null or s.building_section = series.building_section)
  ),
  best as (
    select f.*,
           row_number() over (
             partition by f.day
             order by f.days desc, f.is_favorite desc, f.is_near desc, f.spot_number
           ) as rank
      from fitting f
  )
  select coalesce(jsonb_object_agg(b.day, b.windows), '{}'),
         array(select o.spot_id from best o where o.rank <= 3)
    into v_windows, v_spot_ids
    from (
      select o.day, jsonb_agg(o.id order by o.rank) as windows
        from best o
       where o.rank <= 3 -- what refuses one of them mostly refuses all
       group by o.day
    ) b;
  perform private.keep_spots(v_spot_ids, to_claim => true);

  for v_day in 1..cardinality(v_spans) loop
    v_spot_number := null;
    v_reason := null;
    for v_window_id in select jsonb_array_elements_text(v_windows -> v_day::text) loop
      begin
        with claimed as (
          insert into parking.claims
            (availability_id, spot_id, owner_id, start_time, end_time, guest, vehicle, series_id)
          select a.id, a.spot_id, a.owner_id, lower(v_spans[v_day]), upper(v_spans[v_day]),
                 series.guest, series.vehicle, series.id
            from parking.availabilities a
           where a.id = v_window_id
          returning spot_id
        )
        select s.spot_number into v_spot_number
          from claimed c
          join parking.spots s on s.id = c.spot_id;
      exception
        when integrity_constraint_violation or insufficient_privilege then
          get stacked diagnostics v_rule = constraint_name, v_hint = pg_exception_hint;
          v_messages := coalesce(v_messages, private.rule_messages('{claims}', claim_days.language));
          v_reason := v_messages ->> v_rule;
          if v_reason is null then
            raise; -- no rule of claims, but a fault
          elsif v_hint <> '' then
            v_reason := replace(
              v_reason,
              '{until}',
              -- private.enforce_offers gives a moment and a time zone.
              to_char(split_part(v_hint, ' ', 1)::timestamptz at time zone split_part(v_hint, ' ', 2), 'YYYY-MM-DD HH24:MI')
            );
          end if;
      end;
      exit when v_spot_number is not null;
    end loop;

    v_days := v_days || json_build_object(
      'day', (lower(v_spans[v_day]) at time zone v_zone)::date,
      'start_time', private.iso8601(lower(v_spans[v_day])),
      'end_time', private.iso8601(upper(v_spans[v_day])),
      'spot_number', v_spot_number,
      'availability_id', case when v_spot_number is not null then v_window_id end,
      'reason', case when v_spot_number is null then v_reason end
    );
  end loop;
  return array_to_json(v_days);
end;
$$;

comment on function private.claim_days is
  'Claims the hours of a series on each of its days that has not begun. Says of each day which window was claimed, or which rule refused it; neither where nothing is free.';
grant execute on function private.claim_days to parking_api;
