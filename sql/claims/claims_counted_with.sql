/* A section with its own most_active_claims counts by itself; all others count together. */
create or replace function private.claims_counted_with(spot_id uuid, claimer_id uuid)
  returns bigint
  language sql
  stable
  security invoker -- for private.enforce_most_claims: no grant to the API role
  set search_path = ''
begin atomic
  with counted_alone as materialized (
    select s.id, s.building_section
      from parking.limits l
      join parking.spots s on s.building_section = l.building_section
     where l.most_active_claims is not null
  )
  select count(*)
    from parking.claims c
    left join counted_alone a on a.id = c.spot_id
   where c.claimer_id = claims_counted_with.claimer_id
     and c.status <> 'cancelled'
     and c.end_time > clock_timestamp()
     and a.building_section is not distinct from (
       select o.building_section from counted_alone o where o.id = claims_counted_with.spot_id
     );
end;

comment on function private.claims_counted_with is
  'How many claims of this resident that have not ended count against the same most_active_claims as one of this spot.';
