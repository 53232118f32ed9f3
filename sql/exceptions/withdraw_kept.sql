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
  v_windows constant parking.availabilities[] := array(
    select a
      from parking.availabilities a
     where a.spot_id = withdraw_kept.spot_id
       and not a.is_claimed
       and a.start_time < kept.end_time
       and a.end_time > v_from
       and a.during && withdraw_kept.within
     order by a.start_time
  );
  v_window parking.availabilities;
  v_rest_id uuid;
begin
  insert into private.exception_changes
    (exception_id, window_id, start_time, end_time, spot_id, pattern_id, pattern_day)
  select kept.id,
         private.origin_of(w.id),
         greatest(w.start_time, v_from),
         least(w.end_time, kept.end_time),
         w.spot_id,
         w.pattern_id,
         w.pattern_day
    from unnest(v_windows) w
      on conflict on constraint exception_changes_pkey
      do update set end_time = greatest(exception_changes.end_time, excluded.end_time);

  perform private.withdraw_all(array(
    select w.id
      from unnest(v_windows) w
     where w.start_time >= v_from
       and w.end_time <= kept.end_time
  ));

  -- The two at the edges, or one.
  foreach v_window in array array(
    select w
      from unnest(v_windows) w
     where w.start_time < v_from
        or w.end_time > kept.end_time
  ) loop
    if v_window.start_time < v_from then
      update parking.availabilities a set end_time = v_from where a.id = v_window.id;

      if v_window.end_time > kept.end_time then
        perform set_config('parking.recutting', 'on', true); -- it was on offer
        insert into parking.availabilities
          (spot_id, owner_id, start_time, end_time, part_of, pattern_id, pattern_day, created_at)
        values (
          v_window.spot_id, v_window.owner_id, kept.end_time, v_window.end_time,
          v_window.part_of, v_window.pattern_id, v_window.pattern_day, v_window.created_at
        )
        returning id into v_rest_id;
        perform set_config('parking.recutting', 'off', true);
        perform private.move_offers(v_window.id, v_rest_id);
        insert into private.window_origins (window_id, origin_id)
        values (v_rest_id, private.origin_of(v_window.id));
      end if;
    else
      update parking.availabilities a set start_time = kept.end_time where a.id = v_window.id;
    end if;
  end loop;
end;
$$;

comment on function private.withdraw_kept is
  'Cuts or withdraws the free windows of a spot that an exception of kind keep touches, those that also touch the range, and notes what it took.';
