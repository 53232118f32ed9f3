create or replace function api.get_spot_report(id uuid)
  returns setof parking.spot_reports
  language sql
  stable
  rows 1
as $$
  select r.*
    from parking.spot_reports r
   where r.id = get_spot_report.id
$$;

comment on function api.get_spot_report is
  'One report of a stranger''s car';
grant execute on function api.get_spot_report to parking_api;

create or replace function api.list_spot_reports()
  returns setof parking.spot_reports
  language sql
  stable
as $$
  select r.*
    from parking.spot_reports r
$$;

comment on function api.list_spot_reports is
  'Strangers'' cars that you reported, or were told of; administrators and concierges: all, newest first';
grant execute on function api.list_spot_reports to parking_api;
