create or replace function api.list_notifications(
    is_read boolean default null,
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
      select n
        from parking.notifications n
       where (list_notifications.is_read is null or n.is_read = list_notifications.is_read)
    ),
    page as (
      select m.n
        from matching m
       order by (m.n).created_at desc, (m.n).id
       limit list_notifications."limit"
      offset list_notifications."offset"
    )
    select json_build_object(
      'notifications', coalesce((select json_agg(private.notification_json(page.n)) from page), '[]'),
      'total', (select count(*) from matching)
    )
  );
end;
$$;

comment on function api.list_notifications is
  'Messages to you, newest first';
grant execute on function api.list_notifications to parking_api;
