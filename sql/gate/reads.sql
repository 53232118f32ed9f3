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
