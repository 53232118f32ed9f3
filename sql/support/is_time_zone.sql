/* "at time zone" also takes abbreviations and POSIX rules, of which a misspelt name is one: UTC for all. */
create or replace function private.is_time_zone(name text)
  returns boolean
  language sql
  stable
return exists (
  select
    from pg_catalog.pg_timezone_names z
   where z.name = is_time_zone.name
     -- Files of some systems that are no time zones, or the same ones once more.
     and z.name !~ '^(posix|right)/|^(Factory|localtime|posixrules)$'
);

comment on function private.is_time_zone is
  'Whether PostgreSQL knows a time zone by this name, such as Europe/Berlin.';
grant execute on function private.is_time_zone to parking_api;
