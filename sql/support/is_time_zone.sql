/*
 * "at time zone" also takes abbreviations and POSIX rules, of which a misspelt name is one: UTC for all. CET
 * and its like are names too, but abbreviations first: without summer time here, and with it elsewhere.
 */
create or replace function private.is_time_zone(name text)
  returns boolean
  language sql
  stable
return exists (
  select
    from pg_catalog.pg_timezone_names z
   where z.name = is_time_zone.name
     -- Files of some systems that are no time zones, or the same ones once more; EST5EDT and its like.
     and z.name !~ '^(posix|right)/|^(Factory|localtime|posixrules)$|^[A-Z]+[0-9]'
) and (
  is_time_zone.name in ('UTC', 'GMT')
  or not exists (
    select
      from pg_catalog.pg_timezone_abbrevs a
     where a.abbrev = upper(is_time_zone.name)
  )
);

comment on function private.is_time_zone is
  'Whether this is the name of a time zone, such as Europe/Berlin, and no abbreviation.';
grant execute on function private.is_time_zone to parking_api;
