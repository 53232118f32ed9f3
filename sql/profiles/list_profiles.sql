create or replace function api.list_profiles(
    is_approved boolean default null,
    is_admin boolean default null,
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
  perform private.require_administrator();

  return (
    with matching as not materialized (
      select p
        from parking.profiles p
       where (list_profiles.is_approved is null or p.is_approved = list_profiles.is_approved)
         and (list_profiles.is_admin is null or p.is_admin = list_profiles.is_admin)
    ),
    page as (
      select m.p
        from matching m
       order by (m.p).created_at desc, (m.p).id
       limit list_profiles."limit"
      offset list_profiles."offset"
    )
    select json_build_object(
      'profiles', coalesce((select json_agg(private.profile_json(page.p)) from page), '[]'),
      'total', (select count(*) from matching)
    )
  );
end;
$$;

comment on function api.list_profiles is
  'Everyone who registered, newest first';
grant execute on function api.list_profiles to parking_api;
