-- Not a check: the next version of PostgreSQL may know other names, and must be able to read a dump.
create or replace trigger building_time_zone_is_known
  before insert or update of time_zone on parking.building
  for each row
  when (not private.is_time_zone(new.time_zone))
  execute function private.enforce_time_zone();

comment on trigger building_time_zone_is_known on parking.building is
  E'@field time_zone\n@de Das ist nicht der Name einer Zeitzone, wie Europe/Berlin.\ntime_zone must be the name of a time zone, such as {until}';
