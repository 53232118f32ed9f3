/* For triggers, notifications and reports. Rules bind people who may not read the row. */
create or replace function private.building()
  returns parking.building
  language plpgsql
  stable
  security definer -- reports and rules need the row also for callers who may not read it
  set search_path = ''
as $$
declare
  v_building parking.building;
begin
  select b.* into v_building from parking.building b;
  return v_building;
end;
$$;

comment on function private.building is
  'The building, such as its time zone.';
grant execute on function private.building to parking_api, parking_reporter;
