/* What an owner needs is not on offer. What was offered until now, was offered. */
create or replace function private.withdraw_kept(
    kept parking.exceptions,
    spot_id uuid,
    within tstzrange default '(,)'
)
  returns void
  language plpgsql
  volatile
  security invoker -- a tool of functions with the rights of the owner: no grant to the API role
  set search_path = ''
as $$
declare
  v_from constant timestamptz :=
    greatest(kept.start_time, date_trunc('milliseconds', clock_timestamp()));
  v_taken parking.availabilities;
  v_rest_id uuid;
begin
  insert into private.exception_changes
    (exception_id, window_id, start_time, end_time, spot_id, pattern_id, pattern_day)
  select kept.id,
         a.id,
         greatest(a.start_time, v_from),
         least(a.end_time, kept.end_time),
         a.spot_id,
         a.pattern_id,
         a.pattern_day
    from parking.availabilities a
   where a.spot_id = withdraw_kept.spot_id
     and not a.is_claimed
     and a.start_time < kept.end_time
     and a.end_time > v_from
     and a.during && withdraw_kept.within
      on conflict on constraint exception_changes_pkey
      do update set end_time = greatest(exception_changes.end_time, excluded.end_time);

  for v_taken in
    select a.*
      from private.exception_changes t
      join parking.availabilities a on a.id = t.window_id
     where t.exception_id = kept.id
       and t.spot_id = withdraw_kept.spot_id
       and not a.is_claimed
       and a.start_time < t.end_time
       and a.end_time > t.start_time
       and a.during && withdraw_kept.within
     order by a.start_time
  loop
    if v_taken.start_time < v_from and v_taken.end_time > kept.end_time then
      update parking.availabilities a set end_time = v_from where a.id = v_taken.id;
      insert into parking.availabilities
        (spot_id, owner_id, start_time, end_time, pattern_id, pattern_day, created_at)
      values (
        v_taken.spot_id, v_taken.owner_id, kept.end_time, v_taken.end_time,
        v_taken.pattern_id, v_taken.pattern_day, v_taken.created_at
      )
      returning id into v_rest_id;
      update private.exception_changes t
         set rest_id = v_rest_id
       where t.exception_id = kept.id
         and t.window_id = v_taken.id
         and t.end_time = kept.end_time;
      perform private.note_rest(v_taken.id, v_rest_id);
    elsif v_taken.start_time < v_from then
      update parking.availabilities a set end_time = v_from where a.id = v_taken.id;
    elsif v_taken.end_time > kept.end_time then
      update parking.availabilities a set start_time = kept.end_time where a.id = v_taken.id;
    else
      perform private.withdraw_window(v_taken.id);
    end if;
  end loop;
end;
$$;

comment on function private.withdraw_kept is
  'Cuts or withdraws the free windows of a spot that an exception of kind keep touches, those that also touch the range, and notes what it took.';
