/* For the list of windows, which asks it of those alone that are free in part. */
create or replace function private.has_free(
    free jsonb,
    "from" timestamptz default null,
    until timestamptz default null
)
  returns boolean
  language sql
  stable
  parallel safe
return exists (
  select
    from jsonb_to_recordset(has_free.free) s (start_time timestamptz, end_time timestamptz)
   where (has_free."from" is null or s.start_time <= has_free."from" and s.end_time > has_free."from")
     and (has_free.until is null or s.start_time < has_free.until and s.end_time >= has_free.until)
);

comment on function private.has_free is
  'Whether one of these free spans begins at or before a time and lasts until another.';
grant execute on function private.has_free to parking_api;
