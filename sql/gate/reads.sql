/*
 * It says the same as GET /admin/parked, but of one vehicle and with grace. Claims are found by their plate,
 * and those without one by the usual plate of the claimer.
 */
create or replace function api.gate(vehicle text, at timestamptz default now())
  returns table (
    allowed boolean,
    until timestamptz,
    spot_number text,
    building_section text,
    reason text
  )
  language plpgsql
  stable
  rows 1
  security definer -- no policy shows a row to a key; private.require_scope refuses all who may not ask
  set search_path = ''
  set plan_cache_mode = force_generic_plan -- planning takes ten times as long as the answer
as $$
declare
  v_plate constant text := private.plate(gate.vehicle);
  v_grace interval;
  v_at timestamptz;
begin
  perform private.require_scope('gate');
  -- A stolen key must not tell who stood where for years.
  v_at := case
    when private.key_id() is null then gate.at
    else greatest(gate.at, now() - interval '1 day')
  end;
  select make_interval(mins => b.gate_minutes) into v_grace from parking.building b;

  return query
    with owners as (
      select p.id, p.is_approved
        from parking.profiles p
       where p.vehicle is not null
         and private.plate(p.vehicle) = v_plate
    ),
    claims as (
      select c.*
        from parking.claims c
       where c.vehicle is not null
         and private.plate(c.vehicle) = v_plate
      union all
      select c.*
        from owners o
        join parking.claims c on c.claimer_id = o.id
       where c.vehicle is null
         and c.guest is null
    ),
    -- A claim that was completed before its end ended at that moment.
    claimed as (
      select c.spot_id,
             c.start_time,
             case when c.status = 'completed' then least(c.end_time, c.updated_at) else c.end_time end as end_time
        from claims c
       where c.status <> 'cancelled'
         and c.end_time > v_at - v_grace
    ),
    found as (
      select c.start_time <= v_at + v_grace as allowed,
             c.end_time::timestamptz as until,
             c.spot_id,
             case
               when c.start_time > v_at + v_grace then 'not_now'
               when c.start_time > v_at then 'early'
               when c.end_time <= v_at then 'late'
               else 'claim'
             end as reason
        from claimed c
       where c.end_time > v_at - v_grace
      union all
      select o.id is null, n.start_time::timestamptz, s.id,
             case when o.id is null then 'owner' else 'lent' end
        from owners p
        join parking.spots s on s.owner_id = p.id
        -- Claims that hold their windows do not overlap: of a spot, only the last that has started can be open.
        left join lateral (
          select l.id
            from (
              select c.id, c.end_time, c.status, c.updated_at
                from parking.claims c
               where c.spot_id = s.id
                 and c.start_time <= v_at
                 and c.status <> 'cancelled'
               order by c.start_time desc
               limit 1
            ) l
           where l.end_time > v_at
             and (l.status = 'active' or l.updated_at > v_at)
        ) o on true
        left join lateral (
          select c.start_time
            from parking.claims c
           where c.spot_id = s.id
             and c.start_time > v_at
             and c.status = 'active'
           order by c.start_time
           limit 1
        ) n on true
       where p.is_approved
         and s.is_verified
         and (s.retired_at <= v_at) is not true
    )
    select coalesce(f.allowed, false),
           case when f.allowed then f.until end,
           case when f.allowed then s.spot_number end,
           case when f.allowed then s.building_section end,
           coalesce(f.reason, 'unknown')
      from (select) one
      left join found f on true
      left join parking.spots s on s.id = f.spot_id
     order by f.allowed desc nulls last, f.until desc nulls first
     limit 1;
end;
$$;

comment on function api.gate is
  'Whether a vehicle may pass the gate, to which spot, and until when it may stand there';
grant execute on function api.gate to parking_api;

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
