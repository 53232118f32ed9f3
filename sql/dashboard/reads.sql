create or replace function api.get_dashboard()
  returns table (
    total_spots bigint,
    active_spots bigint,
    total_claims bigint,
    active_claims bigint
  )
  language sql
  stable
  rows 1
as $$
  select s.total, s.active, c.total, c.active
    from (
      -- Windows of one spot do not overlap: only the last that has started can still be open.
      select count(*) as total, count(*) filter (where latest.end_time > now()) as active
        from parking.spots own
        left join lateral (
          select a.end_time
            from parking.availabilities a
           where a.spot_id = own.id
             and a.start_time <= now()
           order by a.start_time desc
           limit 1
        ) latest on true
       where own.owner_id = (select private.caller_id())
         and own.retired_at is null
    ) s,
    (
      -- From an index alone, ten years of them too.
      select count(*) as total, count(*) filter (where own.status = 'active') as active
        from parking.claims own
       where own.claimer_id = (select private.caller_id())
    ) c
$$;

comment on function api.get_dashboard is
  'Your statistics and your newest spots and claims';
grant execute on function api.get_dashboard to parking_api;

create or replace function api.recent_claims()
  returns setof parking.claims
  language sql
  stable
  rows 5
as $$
  select own.*
    from parking.claims own
   where own.claimer_id = (select private.caller_id())
   order by own.created_at desc, own.id desc
   limit 5
$$;

comment on function api.recent_claims is
  'Your newest claims, for the dashboard.';
grant execute on function api.recent_claims to parking_api;

create or replace function api.recent_spots()
  returns setof parking.spots
  language sql
  stable
  rows 5
as $$
  select own.*
    from parking.spots own
   where own.owner_id = (select private.caller_id())
     and own.retired_at is null
   order by own.created_at desc, own.id desc
   limit 5
$$;

comment on function api.recent_spots is
  'Your newest spots, for the dashboard.';
grant execute on function api.recent_spots to parking_api;
