create or replace function api.recent_claims()
  returns setof parking.claims
  language sql
  stable
  security invoker
  rows 5
as $$
  select own.*
    from parking.claims own
   where own.claimer_id = (select private.caller_id())
   order by own.created_at desc, own.id desc
   limit 5
$$;

comment on function api.recent_claims is
  'Your newest claims, for the dashboard.';
grant execute on function api.recent_claims to parking_api;
