create or replace function private.enforce_time_zone()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  raise exception using
    errcode = '23514',
    message = format('refused by rule "%s"', tg_name),
    constraint = tg_name,
    hint = case -- {until} in the message of the rule
      when new.time_zone in ('CET', 'MET') then 'Europe/Berlin, Europe/Paris or Europe/Rome'
      when new.time_zone = 'EET' then 'Europe/Athens, Europe/Helsinki or Europe/Kyiv'
      when new.time_zone = 'WET' then 'Europe/Lisbon or Atlantic/Canary'
      when new.time_zone in ('EST', 'EST5EDT') then 'America/New_York or America/Toronto'
      when new.time_zone = 'CST6CDT' then 'America/Chicago'
      when new.time_zone in ('MST', 'MST7MDT') then 'America/Denver or America/Phoenix'
      when new.time_zone = 'PST8PDT' then 'America/Los_Angeles'
      when new.time_zone = 'HST' then 'Pacific/Honolulu'
      else 'Europe/Berlin'
    end;
end;
$$;

-- Not a check: the next version of PostgreSQL may know other names, and must be able to read a dump.
create or replace trigger building_time_zone_is_known
  before insert or update of time_zone on parking.building
  for each row
  when (not private.is_time_zone(new.time_zone))
  execute function private.enforce_time_zone();

comment on trigger building_time_zone_is_known on parking.building is
  E'@field time_zone\n@de Das ist nicht der Name einer Zeitzone, wie Europe/Berlin.\ntime_zone must be the name of a time zone, such as {until}';
