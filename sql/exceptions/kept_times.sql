create or replace function private.kept_times(
    spot_id uuid,
    until timestamptz
)
  returns tstzmultirange
  language sql
  stable
  security invoker -- owners see their own exceptions, and no others matter to them
return (
  select coalesce(range_agg(tstzrange(e.start_time, e.end_time)), '{}')
    from parking.spots s
    join parking.exceptions e on e.owner_id = s.owner_id
   where s.id = kept_times.spot_id
     and e.kind = 'keep'
     and coalesce(e.spot_id, s.id) = s.id
     and e.start_time < kept_times.until
     and e.end_time > clock_timestamp()
);

comment on function private.kept_times is
  'When the owner of the spot needs it, by exceptions that have not ended and start before a moment.';
grant execute on function private.kept_times to parking_api;
