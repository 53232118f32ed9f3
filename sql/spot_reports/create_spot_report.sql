create or replace function api.create_spot_report(
    spot_id uuid,
    vehicle text default null,
    note text default null
)
  returns parking.spot_reports
  language plpgsql
  set search_path = ''
as $$
declare
  v_report parking.spot_reports;
begin
  perform private.require_approved();

  insert into parking.spot_reports (spot_id, vehicle, note)
  select s.id, create_spot_report.vehicle, create_spot_report.note
    from parking.spots s
   where s.id = create_spot_report.spot_id
  returning * into v_report;

  if not found then
    perform private.refuse('spot_reports_of_a_spot', '23503');
  end if;

  return v_report;
end;
$$;

comment on function api.create_spot_report is
  'Report that a stranger''s car stands on your spot, or on one that you have claimed now: the other of you and the administrators and concierges are told';
grant execute on function api.create_spot_report to parking_api;
