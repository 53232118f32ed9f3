/* The facts about a spot that somebody at the gate needs. A type, because the filters use the names of its members. */
do $$
begin
  create type private.parked as (
    spot_id uuid,
    spot_number text,
    building_section text,
    role text,
    claim_id uuid,
    person_id uuid,
    full_name text,
    apartment_number text,
    guest text,
    vehicle text,
    until timestamptz
  );
exception
  when duplicate_object then null; -- this file can be run again
end;
$$;

do $$
begin
  alter type private.parked add attribute phone_number text, add attribute made_by uuid;
exception
  when duplicate_column then null;
end;
$$;

comment on type private.parked is
  'Who may stand on a spot, with which vehicle, and until when.';

create or replace function api.parked(
    at timestamptz default now(),
    section text default null,
    vehicle text default null
)
  returns setof private.parked
  language plpgsql
  stable
  security definer -- a concierge reads no profiles and claims of others; private.require_staff refuses who may not ask
  set search_path = ''
as $$
declare
  v_rows bigint;
begin
  perform private.require_staff();
  if parked.at < now() - interval '1 day' then
    perform private.require_administrator(); -- who stood where for years is no concierge's business
  end if;

  return query
    select s.id, s.spot_number, s.building_section,
           case when c.id is null then 'owner' else 'claimer' end,
           c.id, p.id, p.full_name, p.apartment_number, c.guest, here.vehicle,
           coalesce(c.end_time, following.start_time)::timestamptz,
           case when c.id is not null then p.phone_number end,
           c.made_by
      from parking.spots s
      -- Claims that hold their windows do not overlap: of a spot, only the last that has started can be open.
      left join lateral (
        select l.*
          from (
            select o.id, o.claimer_id, o.guest, o.vehicle, o.end_time, o.status, o.updated_at, o.made_by
              from parking.claims o
             where o.spot_id = s.id
               and o.start_time <= parked.at
               and o.status <> 'cancelled'
             order by o.start_time desc
             limit 1
          ) l
         where l.end_time > parked.at
           and (l.status = 'active' or l.updated_at > parked.at) -- nothing changes it once it is completed
      ) c on true
      left join lateral (
        select n.start_time
          from parking.claims n
         where c.id is null
           and n.spot_id = s.id
           and n.start_time > parked.at
           and n.status = 'active'
         order by n.start_time
         limit 1
      ) following on true
      join parking.profiles p on p.id = coalesce(c.claimer_id, s.owner_id)
      -- A claimer who names neither a guest nor a plate comes with the usual vehicle.
     cross join lateral (
       select coalesce(c.vehicle, case when c.guest is null then p.vehicle end) as vehicle
     ) here
     where (parked.section is null or s.building_section = parked.section)
       and (parked.vehicle is null or private.plate(here.vehicle) = private.plate(parked.vehicle))
       and (c.id is not null or (s.is_verified and p.is_approved))
       and (s.retired_at <= parked.at) is not true
     order by s.spot_number, s.id
     limit 10001;

  get diagnostics v_rows = row_count;
  perform row(current_date, current_date + 1, v_rows)::private.reports;
end;
$$;

comment on function api.parked is
  'Who may stand where at a moment: the claimer of each spot that is claimed then, else its owner, if the spot is verified';
grant execute on function api.parked to parking_api;
