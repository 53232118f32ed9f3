create or replace function api.get_dashboard()
  returns table (
    total_spots bigint,
    active_spots bigint,
    total_claims bigint,
    active_claims bigint
  )
  language sql
  stable
  security invoker
  rows 1
as $$
  select s.total, a.total, c.total, c.active
    from (
      select count(*) as total
        from parking.spots own
       where own.owner_id = (select private.caller_id())
    ) s,
    (
      -- Windows of one spot do not overlap: each spot counts once.
      select count(*) as total
        from parking.availabilities own
       where own.owner_id = (select private.caller_id())
         and own.start_time <= now()
         and own.end_time > now()
    ) a,
    (
      select count(*) as total,
             count(*) filter (where own.status = 'active') as active
        from parking.claims own
       where own.claimer_id = (select private.caller_id())
    ) c
$$;

comment on function api.get_dashboard is
  'Your statistics and your newest spots and claims';
grant execute on function api.get_dashboard to parking_api;
