create or replace function api.list_spots(
    owner_id uuid default null,
    building_section text default null,
    is_verified boolean default null,
    "limit" integer default 50,
    "offset" integer default 0
)
  returns json
  language plpgsql
  stable
  security invoker
  set search_path = ''
  set plan_cache_mode = force_custom_plan -- plans for the filters that were given, and no others
as $$
begin
  perform private.require_approved();

  return (
    with matching as not materialized (
      select s
        from parking.spots s
       where (list_spots.owner_id is null or s.owner_id = list_spots.owner_id)
         and (list_spots.building_section is null
              or s.building_section = list_spots.building_section)
         and (list_spots.is_verified is null or s.is_verified = list_spots.is_verified)
    ),
    page as (
      select m.s
        from matching m
       order by (m.s).spot_number, (m.s).id
       limit list_spots."limit"
      offset list_spots."offset"
    )
    select json_build_object(
      'spots', coalesce((select json_agg(private.spot_json(page.s)) from page), '[]'),
      'total', (select count(*) from matching)
    )
  );
end;
$$;

comment on function api.list_spots is
  'The spots of the building, by number';
grant execute on function api.list_spots to parking_api;
