create or replace function api.recent_spots()
  returns setof parking.spots
  language sql
  stable
  security invoker
  rows 5
as $$
  select own.*
    from parking.spots own
   where own.owner_id = (select private.caller_id())
     and own.retired_at is null
   order by own.created_at desc, own.id desc
   limit 5
$$;

comment on function api.recent_spots is
  'Your newest spots, for the dashboard.';
grant execute on function api.recent_spots to parking_api;
