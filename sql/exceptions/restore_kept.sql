/* What an exception took is on offer again, as far as it lies ahead and its owner offers nothing else there. */
create or replace function private.restore_kept(exception_id uuid)
  returns void
  language plpgsql
  volatile
  security invoker -- policies and constraints decide; this function adds no power
  set search_path = ''
as $$
declare
  v_ahead constant tstzrange := tstzrange(private.next_minute(), null);
  v_taken record;
  v_gap tstzrange;
begin
  for v_taken in
    select t.spot_id, t.window_id, t.rest_id, t.span * v_ahead as span
      from private.taken_times(restore_kept.exception_id) t
  loop
    begin
      foreach v_gap in array array(
        select unnest(tstzmultirange(v_taken.span) - coalesce(range_agg(a.during), '{}'))
          from parking.availabilities a
         where a.spot_id = v_taken.spot_id
           and a.start_time < upper(v_taken.span)
           and a.end_time > lower(v_taken.span)
      ) loop
        perform private.restore_window(v_taken.spot_id, v_taken.window_id, v_taken.rest_id, v_gap);
      end loop;
    exception
      -- A limit of the building came since: the rest is undone all the same.
      when check_violation then null;
    end;
  end loop;

  for v_taken in
    select t.window_id, t.rest_id
      from private.taken_times(restore_kept.exception_id) t
     where t.rest_id is not null
  loop
    begin
      perform private.join_rest(v_taken.window_id, v_taken.rest_id);
    exception
      when check_violation then null;
    end;
  end loop;
end;
$$;

comment on function private.restore_kept is
  'Offers again what an exception of the caller, of kind keep, took from windows.';
grant execute on function private.restore_kept to parking_api;
