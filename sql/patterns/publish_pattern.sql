/*
 * The days after published_until, so that a second run finds nothing to do, and no day is published twice:
 * what the owner withdraws stays withdrawn. The caller has locked the spot.
 */
create or replace function private.publish_pattern(id uuid)
  returns table (
    day date,
    start_time timestamptz,
    end_time timestamptz,
    outcome text,
    rule text
  )
  language plpgsql
  volatile
  security invoker -- called as the owner of the spot, whom policies and limits bind
  set search_path = ''
as $$
declare
  v_building constant parking.building := private.building();
  v_today constant date := (clock_timestamp() at time zone v_building.time_zone)::date;
  v_until date := v_today + v_building.pattern_days - 1;
  v_pattern parking.patterns;
  v_collision tstzrange;
begin
  select p.* into v_pattern from parking.patterns p where p.id = publish_pattern.id;

  for day, start_time, end_time, outcome, rule in
    select s.day, w.piece_start, w.piece_end, w.outcome, w.rule
      from private.pattern_spans(
             v_pattern.weekdays, v_pattern.starts_at, v_pattern.ends_at,
             greatest(v_pattern.first_day, v_today, v_pattern.published_until + 1),
             least(v_pattern.last_day, v_until),
             v_building.time_zone
           ) s
     cross join lateral private.publish_window(v_pattern, s.day, s.start_time, s.end_time) w
     where s.day <> all (v_pattern.left_out)
  loop
    if rule = 'availabilities_within_horizon' then
      v_until := least(v_until, day - 1); -- its day will come
    elsif outcome = 'overlaps' and rule is not null and v_collision is null then
      v_collision := tstzrange(start_time, end_time);
    end if;
    return next;
  end loop;

  perform private.note_published(v_pattern.id, greatest(v_pattern.published_until, v_until));

  if v_collision is not null then
    perform private.notify_of_collision(v_pattern.id, lower(v_collision), upper(v_collision));
  end if;
end;
$$;

comment on function private.publish_pattern is
  'Publishes the windows of a pattern for the days that are not published yet, as far ahead as the building has it, and says what became of each. Notifies the owner once of what overlaps.';
grant execute on function private.publish_pattern to parking_api;
