create or replace function api.get_spot(id uuid)
  returns setof parking.spots
  language sql
  stable
  rows 1
as $$
  select s.*
    from parking.spots s
   where s.id = get_spot.id
     and s.retired_at is null
$$;

comment on function api.get_spot is
  'One spot';
grant execute on function api.get_spot to parking_api;

create or replace function api.list_spots()
  returns setof parking.spots
  language sql
  stable
as $$
  select s.*
    from parking.spots s
   where s.retired_at is null
$$;

comment on function api.list_spots is
  'The spots of the building, by number';
grant execute on function api.list_spots to parking_api;

create or replace function private.spots_of_section(building_section text)
  returns uuid[]
  language sql
  stable
return array(
  select s.id
    from parking.spots s
   where s.building_section = spots_of_section.building_section
);

comment on function private.spots_of_section is
  'The spots of a section that the caller sees.';
grant execute on function private.spots_of_section to parking_api;

/* For policies. One array for a statement costs less than a look at the owner of each row. */
create or replace function private.suspended_owners()
  returns uuid[]
  language sql
  stable
  parallel safe
  security definer -- the caller may not see the profiles of others
  set search_path = ''
return array(
  select p.id
    from parking.profiles p
   where (select private.is_approved())
     and not p.is_approved
     and exists (select from parking.spots s where s.owner_id = p.id)
);

comment on function private.suspended_owners is
  'The residents who own spots and are no longer approved; nobody, where the caller is not approved.';
grant execute on function private.suspended_owners to parking_api;
