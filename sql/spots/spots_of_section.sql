create or replace function private.spots_of_section(building_section text)
  returns uuid[]
  language sql
  stable
  security invoker
return array(
  select s.id
    from parking.spots s
   where s.building_section = spots_of_section.building_section
);

comment on function private.spots_of_section is
  'The spots of a section that the caller sees.';
grant execute on function private.spots_of_section to parking_api;
