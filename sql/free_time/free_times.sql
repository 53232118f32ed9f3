/* From the columns that private.set_free keeps: it costs a list nothing, and shows nothing of the claims of others. */
create or replace function private.free_times(availability parking.availabilities)
  returns tstzmultirange
  language sql
  stable
  parallel safe
return case
  when (availability).free is not null then (
    select coalesce(range_agg(tstzrange(s.start_time, s.end_time)), '{}')
      from jsonb_to_recordset((availability).free) s (start_time timestamptz, end_time timestamptz)
  )
  when (availability).is_claimed then '{}'
  else tstzmultirange((availability).during)
end;

comment on function private.free_times is
  'What of a window is free: what is offered of it, without what claims take.';
grant execute on function private.free_times to parking_api;
