/* The spans of api.gate without their grace, which the answer says: of claims, and of owners between them. */
create or replace function api.gate_today()
  returns table (
    vehicle text,
    start_time timestamptz,
    end_time timestamptz,
    spot_number text,
    building_section text
  )
  language plpgsql
  stable
  security definer -- no policy shows a row to a key; private.require_scope refuses all who may not ask
  set search_path = ''
as $$
declare
  v_from constant timestamptz := private.midnight((now() at time zone (private.building()).time_zone)::date);
  v_day constant tstzrange := tstzrange(v_from, v_from + interval '48 hours');
begin
  perform private.require_scope('gate');

  return query
    with open as (
      select c.spot_id, c.claimer_id, c.guest, c.vehicle, tstzrange(c.start_time, c.end_time) as span
        from parking.claims c
       where c.status = 'active'
         and c.end_time > lower(v_day)
         and c.start_time < upper(v_day)
    ),
    spans as (
      select private.plate(coalesce(o.vehicle, case when o.guest is null then p.vehicle end)) as plate,
             o.span,
             o.spot_id
        from open o
        join parking.profiles p on p.id = o.claimer_id
      union all
      select private.plate(p.vehicle), free.span, s.id
        from parking.profiles p
        join parking.spots s on s.owner_id = p.id
        left join (
          select o.spot_id, range_agg(o.span) as spans
            from open o
           group by o.spot_id
        ) c on c.spot_id = s.id
       cross join lateral unnest(
         tstzmultirange(v_day) - coalesce(c.spans, '{}')
       ) free (span)
       where p.vehicle is not null
         and p.is_approved
         and s.is_verified
         and s.retired_at is null
    )
    select f.plate, lower(f.span), upper(f.span), s.spot_number, s.building_section
      from spans f
      join parking.spots s on s.id = f.spot_id
     where f.plate is not null
     order by f.plate, lower(f.span), s.spot_number
     limit 10000;
end;
$$;

comment on function api.gate_today is
  'Which vehicles may pass the gate today and tomorrow, for a barrier to keep while the network is away';
grant execute on function api.gate_today to parking_api;
