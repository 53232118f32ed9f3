create or replace function api.list_spot_reports()
  returns setof parking.spot_reports
  language sql
  stable
  security invoker
as $$
  select r.*
    from parking.spot_reports r
$$;

comment on function api.list_spot_reports is
  'Strangers'' cars that you reported, or were told of; administrators: all, newest first';
grant execute on function api.list_spot_reports to parking_api;
