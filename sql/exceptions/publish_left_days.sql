/* What patterns could not publish, because their owner kept or shared the spot then. */
create or replace function private.publish_left_days(gone parking.exceptions)
  returns void
  language plpgsql
  volatile
  security invoker -- policies and constraints decide; this function adds no power
  set search_path = ''
as $$
declare
  v_zone constant text := (private.building()).time_zone;
begin
  perform private.publish_window(p, s.day, s.start_time, s.end_time)
     from parking.patterns p
    cross join lateral private.pattern_spans(
      p.weekdays,
      p.starts_at,
      p.ends_at,
      greatest(
        p.first_day,
        (greatest(gone.start_time, clock_timestamp()) at time zone v_zone)::date - 1
      ),
      least(p.last_day, p.published_until, (gone.end_time at time zone v_zone)::date),
      v_zone
    ) s
    where p.owner_id = gone.owner_id
      and p.spot_id = coalesce(gone.spot_id, p.spot_id)
      and p.published_until is not null
      and s.start_time < gone.end_time
      and s.end_time > gone.start_time
      and s.start_time > clock_timestamp()
      and s.day <> all (p.left_out)
      and not exists (
        select
          from parking.availabilities a
         where a.spot_id = p.spot_id
           and a.pattern_id = p.id
           and a.pattern_day = s.day
      );
end;
$$;

comment on function private.publish_left_days is
  'Publishes the windows of the caller''s patterns that a deleted exception kept from being published, or withdrew.';
grant execute on function private.publish_left_days to parking_api;
