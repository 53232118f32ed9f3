create or replace function api.list_sections()
  returns setof parking.sections
  language sql
  stable
  security invoker
as $$
  select s.*
    from parking.sections s
$$;

comment on function api.list_sections is
  'The sections of the building, each with its number of spots and its own limits';
grant execute on function api.list_sections to parking_api;
