create or replace function private.enforce_few_changed_windows()
  returns trigger
  language plpgsql
  security definer -- the API role has no access to the counts
  set search_path = ''
as $$
declare
  v_building constant parking.building := private.building();
  v_today constant date := (clock_timestamp() at time zone v_building.time_zone)::date;
  -- Before they are: those that are withdrawn, and those that are published.
  v_withdrawn constant integer := (
    select count(*)
      from parking.availabilities a
     where a.spot_id = new.spot_id
       and a.pattern_id = new.id
       and a.start_time > clock_timestamp()
       and not a.is_claimed
  );
  v_published constant integer := (
    select count(*)
      from private.pattern_spans(
        new.weekdays, new.starts_at, new.ends_at,
        greatest(new.first_day, v_today),
        least(new.last_day, v_today + v_building.pattern_days - 1),
        v_building.time_zone
      )
  );
begin
  if private.count_changed_windows(new.owner_id, 'pattern', v_withdrawn + v_published)
    > tg_argv[0]::integer
  then
    perform private.refuse(tg_name, '23514');
  end if;
  return null;
end;
$$;

comment on function private.enforce_few_changed_windows is
  'Trigger function: refuses to make or change a pattern to a resident whose patterns have changed as many windows on this day as the argument says.';
