create or replace function private.reported_hour_use()
  returns table (
    weekday integer,
    hour integer,
    offered numeric,
    claimed numeric
  )
  language sql
  stable
  security definer -- reporting tools see the views, and not the tables that this reads
  set search_path = ''
begin atomic
  select u.weekday, u.hour, u.offered, u.claimed
    from private.reported_period() p
   cross join lateral private.hour_use(private.midnight(p."from"), private.midnight(p.until), null) u
   where u.offered > 0;
end;

comment on function private.reported_hour_use is
  'For reporting tools: how well each hour of the week was used in all the time.';
grant execute on function private.reported_hour_use to parking_reporter, parking_analyst;
