create or replace function private.unmet_wishes("from" date, until date, section text default null)
  returns table (
    weekday integer,
    hour integer,
    wished_minutes bigint,
    unmet_minutes bigint,
    share numeric
  )
  language plpgsql
  stable
  security definer -- no policy shows a row to a key; private.report_start refuses all who may not have the report
  set search_path = ''
as $$
declare
  v_from constant timestamptz := private.report_start(unmet_wishes."from", unmet_wishes.until);
  -- A wish for a time to come may still be fulfilled.
  v_until constant timestamptz := greatest(v_from, least(private.midnight(unmet_wishes.until), now()));
begin
  return query
    select d.weekday,
           h.hour,
           coalesce(round(u.wished / 60), 0)::bigint,
           coalesce(round(u.unmet / 60), 0)::bigint,
           round(u.unmet / nullif(u.wished, 0), 4)
      from generate_series(1, 7) d (weekday)
     cross join generate_series(0, 23) h (hour)
      left join private.wished_hours(v_from, v_until, unmet_wishes.section) u
             on u.weekday = d.weekday and u.hour = h.hour
     order by d.weekday, h.hour;
end;
$$;

comment on function private.unmet_wishes is
  'How much residents waited for, for api.unmet_wishes.';
grant execute on function private.unmet_wishes to parking_api;

create or replace function api.unmet_wishes("from" date, until date, section text default null)
  returns table (
    weekday integer,
    hour integer,
    wished_minutes bigint,
    unmet_minutes bigint,
    share numeric
  )
  language sql
  stable
as $$
  select r.*
    from private.unmet_wishes(unmet_wishes."from", unmet_wishes.until, unmet_wishes.section) r
$$;

comment on function api.unmet_wishes is
  'How much residents waited for in each hour of the week, and how much of it in vain';
grant execute on function api.unmet_wishes to parking_api;
