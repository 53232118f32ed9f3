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
  volatile
  security invoker -- policies and constraints decide; this function adds no power
  set search_path = ''
as $$
declare
  v_pattern parking.patterns;
begin
  begin
    if preview_pattern.pattern_id is null then
      v_pattern := private.insert_pattern(
        preview_pattern.spot_id, preview_pattern.weekdays, preview_pattern.starts_at,
        preview_pattern.ends_at, preview_pattern.first_day, preview_pattern.last_day
      );
    else
      perform private.lock_own_spots();
      perform private.require_approved();
      update parking.patterns p
         set weekdays = preview_pattern.weekdays,
             starts_at = preview_pattern.starts_at,
             ends_at = preview_pattern.ends_at,
             first_day = preview_pattern.first_day,
             last_day = nullif(preview_pattern.last_day, 'infinity')
       where p.id = preview_pattern.pattern_id
         and p.spot_id = preview_pattern.spot_id
      returning p.* into v_pattern;
      if v_pattern.id is null then
        perform private.refuse_absent('patterns');
      end if;
    end if;

    return query select * from private.outcomes_of_pattern(v_pattern.id, preview_pattern.language);

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
