/* What an exception took is on offer again, as far as it lies ahead and its owner offers nothing else there. */
create or replace function private.restore_kept(taken jsonb)
  returns void
  language plpgsql
  volatile
  security invoker -- policies and constraints decide; this function adds no power
  set search_path = ''
as $$
declare
  v_ahead constant tstzrange := tstzrange(private.next_minute(), null);
  v_taken private.exception_changes;
  v_gap tstzrange;
begin
  foreach v_taken in array array(
    select t
      from jsonb_populate_recordset(null::private.exception_changes, taken) t
     order by t.spot_id,
              -- What is left of a window has its time back before another one is made of it.
              not exists (
                select
                  from parking.availabilities a
                 where a.spot_id = t.spot_id
                   and (a.end_time = t.start_time or a.start_time = t.end_time)
                   and private.origin_of(a.id) = t.window_id
              ),
              t.start_time
  ) loop
    begin
      foreach v_gap in array array(
        select unnest(
                 tstzmultirange(tstzrange(v_taken.start_time, v_taken.end_time) * v_ahead)
                 - coalesce(range_agg(a.during), '{}')
               )
          from parking.availabilities a
         where a.spot_id = v_taken.spot_id
           and a.start_time < v_taken.end_time
           and a.end_time > v_taken.start_time
      ) loop
        perform private.restore_window(v_taken, v_gap);
      end loop;
    exception
      -- A limit of the building came since: the rest is undone all the same.
      when check_violation then null;
    end;
  end loop;
end;
$$;

comment on function private.restore_kept is
  'Offers again what an exception of the caller, of kind keep, took from windows.';
grant execute on function private.restore_kept to parking_api;
