create or replace function api.list_availabilities(
    spot_id uuid default null,
    owner_id uuid default null,
    is_claimed boolean default null,
    start_date timestamptz default null,
    end_date timestamptz default null,
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
      select a
        from parking.availabilities a
       where (list_availabilities.spot_id is null or a.spot_id = list_availabilities.spot_id)
         and (list_availabilities.owner_id is null or a.owner_id = list_availabilities.owner_id)
         and (list_availabilities.is_claimed is null
              or a.is_claimed = list_availabilities.is_claimed)
         and (list_availabilities.start_date is null
              or a.start_time >= list_availabilities.start_date)
         -- The start follows from the end; with it the scan of an index ends at end_date.
         and (list_availabilities.end_date is null
              or (a.end_time < list_availabilities.end_date
                  and a.start_time < list_availabilities.end_date))
    ),
    page as (
      select m.a
        from matching m
       order by (m.a).start_time, (m.a).id
       limit list_availabilities."limit"
      offset list_availabilities."offset"
    )
    select json_build_object(
      'availabilities', coalesce((select json_agg(private.availability_json(page.a)) from page), '[]'),
      'total', (select count(*) from matching)
    )
  );
end;
$$;

comment on function api.list_availabilities is
  'The windows of all spots, by start';
grant execute on function api.list_availabilities to parking_api;
