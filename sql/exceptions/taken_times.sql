create or replace function private.taken_times(exception_id uuid)
  returns setof private.exception_changes
  language plpgsql
  volatile
  security definer -- the API role may neither read nor write what an exception did
  set search_path = ''
as $$
declare
  v_exception parking.exceptions;
begin
  select e.* into v_exception
    from parking.exceptions e
   where e.id = taken_times.exception_id
     and e.kind = 'keep'
     and e.owner_id = (select private.caller_id());

  -- What another exception keeps too is now its own to give back.
  insert into private.exception_changes
    (exception_id, window_id, start_time, end_time, spot_id, pattern_id, pattern_day)
  select e.id, t.window_id, greatest(t.start_time, e.start_time), least(t.end_time, e.end_time),
         t.spot_id, t.pattern_id, t.pattern_day
    from private.exception_changes t
    join parking.exceptions e on e.owner_id = v_exception.owner_id
   where t.exception_id = v_exception.id
     and e.id <> v_exception.id
     and e.kind = 'keep'
     and coalesce(e.spot_id, t.spot_id) = t.spot_id
     and e.start_time < t.end_time
     and e.end_time > t.start_time
      on conflict do nothing;

  return query
    select t.exception_id, t.window_id, lower(span)::timestamptz(3), upper(span)::timestamptz(3),
           t.spot_id, t.pattern_id, t.pattern_day
      from private.exception_changes t
     cross join lateral unnest(
       tstzmultirange(tstzrange(t.start_time, t.end_time))
       - private.kept_times(t.spot_id, t.end_time, but_not => v_exception.id)
     ) span
     where t.exception_id = v_exception.id;
end;
$$;

comment on function private.taken_times is
  'What an exception of the caller, of kind keep, took from windows and no other keeps.';
grant execute on function private.taken_times to parking_api;
