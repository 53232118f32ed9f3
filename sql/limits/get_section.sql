create or replace function api.get_section(building_section text)
  returns setof parking.sections
  language sql
  stable
  security invoker
  rows 1
as $$
  select s.*
    from parking.sections s
   where s.building_section = get_section.building_section
$$;

comment on function api.get_section is
  'One section';
grant execute on function api.get_section to parking_api;
