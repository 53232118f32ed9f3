create or replace function api.resolve_spot_report(id uuid, is_resolved boolean default null)
  returns parking.spot_reports
  language plpgsql
  set search_path = ''
as $$
declare
  v_report parking.spot_reports;
begin
  perform private.require_staff();

  update parking.spot_reports r
     set is_resolved = coalesce(resolve_spot_report.is_resolved, r.is_resolved)
   where r.id = resolve_spot_report.id
  returning * into v_report;

  if not found then
    perform private.require_staff(); -- still, after all the waiting
    perform private.refuse_absent('spot_reports');
  end if;

  return v_report;
end;
$$;

comment on function api.resolve_spot_report is
  'Mark the report of a stranger''s car as dealt with, or take that back';
grant execute on function api.resolve_spot_report to parking_api;
