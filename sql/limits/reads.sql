create or replace function api.get_section(building_section text)
  returns setof parking.sections
  language sql
  stable
  rows 1
as $$
  select s.*
    from parking.sections s
   where s.building_section = get_section.building_section
$$;

comment on function api.get_section is
  'One section';
grant execute on function api.get_section to parking_api;

/* The one definition of each limit, for the rules of windows and claims. */
create or replace function private.limits_of(spot_id uuid)
  returns parking.limits
  language plpgsql
  stable
  security definer -- rules bind people who may not read the building
  set search_path = ''
as $$
declare
  v_limits parking.limits;
begin
  -- Asked several times for each claim, and most buildings limit nothing.
  if not exists (
    select
      from parking.limits l
     where num_nonnulls(
             l.longest_window_days, l.horizon_days, l.shortest_claim_minutes, l.longest_claim_minutes,
             l.claim_notice_minutes, l.cancellation_cutoff_minutes, l.most_active_claims
           ) > 0
  ) then
    return null;
  end if;

  select l.building_section,
         coalesce(l.longest_window_days, b.longest_window_days),
         coalesce(l.horizon_days, b.horizon_days),
         coalesce(l.shortest_claim_minutes, b.shortest_claim_minutes),
         coalesce(l.longest_claim_minutes, b.longest_claim_minutes),
         coalesce(l.claim_notice_minutes, b.claim_notice_minutes),
         coalesce(l.cancellation_cutoff_minutes, b.cancellation_cutoff_minutes),
         coalesce(l.most_active_claims, b.most_active_claims)
    into v_limits
    from parking.limits b
    left join (
      parking.spots s join parking.limits l on l.building_section = s.building_section
    ) on s.id = limits_of.spot_id
   where b.building_section is null;

  return v_limits;
end;
$$;

comment on function private.limits_of is
  'The limits that hold for this spot: each as its section has it, else as the building has it. Null where nothing is limited.';
grant execute on function private.limits_of to parking_api;

create or replace function api.list_sections()
  returns setof parking.sections
  language sql
  stable
as $$
  select s.*
    from parking.sections s
$$;

comment on function api.list_sections is
  'The sections of the building, each with its number of spots and its own limits';
grant execute on function api.list_sections to parking_api;
