create or replace function api.overstays()
  returns table (
    vehicle text,
    entered_at timestamptz,
    spot_number text,
    building_section text,
    ended_at timestamptz
  )
  language plpgsql
  stable
  security invoker -- an administrator may read all of this; everybody else is refused
  set search_path = ''
as $$
begin
  perform private.require_administrator();

  return query
    select l.vehicle, l.passed_at::timestamptz, s.spot_number, s.building_section,
           c.end_time::timestamptz
      from (
        select distinct on (p.vehicle) p.vehicle, p.direction, p.passed_at
          from parking.passages p
         order by p.vehicle, p.passed_at desc
      ) l
     cross join lateral api.gate(l.vehicle) g
      left join lateral (
        select o.spot_id, o.end_time
          from parking.claims o
         where o.id = any (private.claims_of_vehicle(l.vehicle))
           and o.status <> 'cancelled'
           and o.end_time <= now()
         order by o.end_time desc
         limit 1
      ) c on true
      left join parking.spots s on s.id = c.spot_id
     where l.direction = 'in'
       and not g.allowed
     order by l.passed_at, l.vehicle
     limit 1000;
end;
$$;

comment on function api.overstays is
  'The vehicles that came in and may not stand here any more, with the claim of them that ended last';
grant execute on function api.overstays to parking_api;
