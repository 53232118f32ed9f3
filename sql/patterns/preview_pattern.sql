/* It does what POST or PUT does, and takes it back: so all rules judge, also those of the building. */
create or replace function api.preview_pattern(
    spot_id uuid,
    weekdays text[],
    starts_at text,
    ends_at text,
    first_day date,
    last_day date default null,
    pattern_id uuid default null,
    language text default 'en'
)
  returns table (
    day date,
    start_time timestamptz,
    end_time timestamptz,
    outcome text,
    reason text
  )
  language plpgsql
  set search_path = ''
as $$
declare
  v_building constant parking.building := private.building();
  v_today constant date := (clock_timestamp() at time zone v_building.time_zone)::date;
  v_begun constant timestamptz := private.next_minute();
  v_pattern parking.patterns;
  v_kept tstzmultirange;
begin
  begin
    if preview_pattern.pattern_id is null then
      v_pattern := api.create_pattern(
        preview_pattern.spot_id, preview_pattern.weekdays, preview_pattern.starts_at,
        preview_pattern.ends_at, preview_pattern.first_day, preview_pattern.last_day
      );
    else
      v_pattern := api.update_pattern(
        (
          select p.id
            from parking.patterns p
           where p.id = preview_pattern.pattern_id
             and p.spot_id = preview_pattern.spot_id
        ),
        preview_pattern.weekdays, preview_pattern.starts_at, preview_pattern.ends_at,
        preview_pattern.first_day, coalesce(preview_pattern.last_day, 'infinity')
      );
    end if;

    v_kept := private.kept_times(v_pattern.spot_id, 'infinity');
    -- A window that stays because it is claimed, or has begun, is in the way of what the pattern says now. What is
    -- missing is tried once more: the rule that refuses it says why.
    return query
      with messages as materialized (
        select private.rule_messages('{availabilities,claims}', preview_pattern.language) as of_rules
      ),
      days as materialized (
        select t.day,
               t.start_time,
               t.end_time,
               tstzmultirange(tstzrange(t.start_time, t.end_time)) - v_pattern.withdrawn as said,
               w.*
          from private.pattern_spans(
            v_pattern.weekdays, v_pattern.starts_at, v_pattern.ends_at,
            greatest(v_pattern.first_day, v_today),
            least(v_pattern.last_day, v_today + v_building.pattern_days - 1),
            v_building.time_zone
          ) t
         cross join lateral (
           select coalesce(range_agg(a.during), '{}') as there,
                  coalesce(range_agg(a.during) filter (where a.source_id = v_pattern.id), '{}') as own,
                  coalesce(
                    range_agg(a.during) filter (
                      where a.source_id = v_pattern.id
                        and a.start_time > clock_timestamp()
                        and not private.is_held(a.id)
                    ),
                    '{}'
                  ) as published
             from parking.availabilities a
            where a.spot_id = v_pattern.spot_id
              and a.start_time < t.end_time
              and a.end_time > t.start_time
         ) w
      ),
      parts (day, span, outcome, rule) as materialized (
        select d.day, unnest(d.said * d.published - v_kept), 'published', null
          from days d
        union all
        select d.day, unnest(d.said * d.published * v_kept), 'kept', null
          from days d
        union all
        select d.day, unnest(d.said * (d.own - d.published)), 'overlaps', null
          from days d
        union all
        select d.day, unnest(d.said * (d.there - d.own)), 'overlaps', 'availabilities_do_not_overlap'
          from days d
        union all
        select m.day,
               m.span,
               'refused',
               coalesce(
                 private.publish(s, array[v_pattern.id], array[v_pattern.id], array[m.span]),
                 -- Not of the table: nobody could claim it.
                 case when lower(m.span) > v_begun then 'claims_no_shorter_than_allowed'
                      else 'availabilities_start_in_future' end
               )
          from (select d.day, unnest(d.said - d.there) from days d) m (day, span)
          join parking.spots s on s.id = v_pattern.spot_id
        union all
        select d.day, tstzrange(d.start_time, d.start_time, '[]'), 'refused', 'availabilities_start_before_end'
          from days d
         where d.start_time = d.end_time -- a change of the clock leaves no time
      )
      select p.day,
             lower(p.span),
             upper(p.span),
             p.outcome,
             case when p.rule is not null then (select m.of_rules ->> p.rule from messages m) end
        from parts p
       order by p.day, p.span;

    raise sqlstate 'PT001'; -- takes all of it back, but for the rows that are returned
  exception
    when sqlstate 'PT001' then -- PT000 would be all refusals too
      null;
  end;
end;
$$;

comment on function api.preview_pattern is
  'What a new or changed pattern would publish in the next weeks, and what not and why; nothing is changed';
grant execute on function api.preview_pattern to parking_api;
