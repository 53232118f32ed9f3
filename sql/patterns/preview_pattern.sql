/* It does what POST does, and takes it back: so all rules judge, also those of the building. */
create or replace function api.preview_pattern(
    spot_id uuid,
    weekdays text[],
    starts_at text,
    ends_at text,
    first_day date,
    last_day date default null
)
  returns table (
    day date,
    start_time timestamptz,
    end_time timestamptz,
    outcome text,
    reason text
  )
  language plpgsql
  volatile
  security invoker -- policies and constraints decide; this function adds no power
  set search_path = ''
as $$
declare
  v_pattern parking.patterns;
begin
  begin
    v_pattern := private.insert_pattern(
      preview_pattern.spot_id, preview_pattern.weekdays, preview_pattern.starts_at,
      preview_pattern.ends_at, preview_pattern.first_day, preview_pattern.last_day
    );
    return query
      select p.day, p.start_time, p.end_time, p.outcome, r.message
        from private.publish_pattern(v_pattern.id) p
        left join private.rules r on r.name = p.rule and r."table" = 'availabilities'
       order by p.day, p.start_time;
    raise sqlstate 'PT000'; -- takes all of it back, but for the rows that are returned
  exception
    when sqlstate 'PT000' then
      null;
  end;
end;
$$;

comment on function api.preview_pattern is
  'What a new pattern would publish in the next weeks, and what not and why; nothing is changed';
grant execute on function api.preview_pattern to parking_api;
