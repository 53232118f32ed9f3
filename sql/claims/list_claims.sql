create or replace function api.list_claims(
    claimer_id uuid default null,
    spot_id uuid default null,
    status text default null,
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
declare
  -- The same condition as the policies, in a form for which the planner uses the indexes.
  v_party constant uuid := case when not private.is_administrator() then private.caller_id() end;
begin
  perform private.require_approved();

  return (
    with matching as not materialized (
      select c
        from parking.claims c
       where (v_party is null or c.claimer_id = v_party or c.owner_id = v_party)
         and (list_claims.claimer_id is null or c.claimer_id = list_claims.claimer_id)
         and (list_claims.spot_id is null or c.spot_id = list_claims.spot_id)
         and (list_claims.status is null or c.status = list_claims.status)
         and (list_claims.start_date is null or c.start_time >= list_claims.start_date)
         -- The start follows from the end; with it the scan of an index begins at end_date.
         and (list_claims.end_date is null
              or (c.end_time < list_claims.end_date and c.start_time < list_claims.end_date))
    ),
    page as (
      select m.c
        from matching m
       order by (m.c).start_time desc, (m.c).id
       limit list_claims."limit"
      offset list_claims."offset"
    )
    select json_build_object(
      'claims', coalesce((select json_agg(private.claim_json(page.c)) from page), '[]'),
      'total', (select count(*) from matching)
    )
  );
end;
$$;

comment on function api.list_claims is
  'The claims you made and those on your spots (administrators: all), latest start first';
grant execute on function api.list_claims to parking_api;
