create or replace function api.use_by_hour("from" date, until date, section text default null)
  returns table (
    weekday integer,
    hour integer,
    offered_minutes bigint,
    claimed_minutes bigint,
    share numeric
  )
  language plpgsql
  stable
  security definer -- no policy shows a row to a key; private.report_start refuses all who may not have the report
  set search_path = ''
as $$
declare
  v_from constant timestamptz := private.report_start(use_by_hour."from", use_by_hour.until);
  v_until constant timestamptz := private.midnight(use_by_hour.until);
begin
  return query
    select d.weekday,
           h.hour,
           coalesce(round(u.offered / 60), 0)::bigint,
           coalesce(round(u.claimed / 60), 0)::bigint,
           round(u.claimed / nullif(u.offered, 0), 4)
      from generate_series(1, 7) d (weekday)
     cross join generate_series(0, 23) h (hour)
      left join private.hour_use(v_from, v_until, use_by_hour.section) u
             on u.weekday = d.weekday and u.hour = h.hour
     order by d.weekday, h.hour;
end;
$$;

comment on function api.use_by_hour is
  'How much was offered and claimed in each hour of the week';
grant execute on function api.use_by_hour to parking_api;
