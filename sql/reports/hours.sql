/* Reports count in hours. */
create or replace function private.hours(span tstzrange)
  returns numeric
  language sql
  immutable
  parallel safe
return round(extract(epoch from upper(span) - lower(span)) / 3600, 3);

comment on function private.hours is
  'The length of a range in hours, to a thousandth; null for an empty one.';
grant execute on function private.hours to parking_reporter;
