create or replace function private.restore_window(taken private.exception_changes, span tstzrange)
  returns void
  language plpgsql
  volatile
  security invoker -- policies and constraints decide; this function adds no power
  set search_path = ''
as $$
declare
  v_before parking.availabilities;
  v_after parking.availabilities;
  v_id uuid;
begin
  if taken.pattern_id is not null
    and not private.is_of_pattern(taken.pattern_id, taken.pattern_day, span)
  then
    return; -- its owner shares it no longer
  end if;

  select a.* into v_before
    from parking.availabilities a
   where a.spot_id = taken.spot_id
     and a.end_time = lower(span)
     and not a.is_claimed
     and private.origin_of(a.id) = taken.window_id;
  select a.* into v_after
    from parking.availabilities a
   where a.spot_id = taken.spot_id
     and a.start_time = upper(span)
     and not a.is_claimed
     and private.origin_of(a.id) = taken.window_id;

  -- What is left of the window has its time back, and becomes one with what is beside it.
  if v_before.id is not null then
    update parking.availabilities a set end_time = upper(span) where a.id = v_before.id;
    perform private.rejoin_piece(v_before.id);
    return;
  elsif v_after.id is not null then
    update parking.availabilities a set start_time = lower(span) where a.id = v_after.id;
    perform private.rejoin_piece(v_after.id);
    return;
  end if;

  -- One that was withdrawn and not deleted (private.withdraw_window) comes back itself.
  if taken.pattern_id is null then
    update parking.availabilities a
       set start_time = lower(span),
           end_time = upper(span)
     where a.id = taken.window_id
       and private.is_put_away(a.start_time, a.end_time)
       and not a.is_claimed;
    if found then
      perform private.rejoin_piece(taken.window_id);
      return;
    end if;
  end if;

  insert into parking.availabilities
    (spot_id, owner_id, start_time, end_time, pattern_id, pattern_day)
  select s.id, s.owner_id, lower(span), upper(span), taken.pattern_id, taken.pattern_day
    from parking.spots s
   where s.id = taken.spot_id
     and not exists (
       select
         from parking.patterns p
        where p.id = taken.pattern_id
          and taken.pattern_day = any (p.left_out)
     )
  returning id into v_id;
  perform private.note_origin(v_id, taken.window_id);
  perform private.rejoin_piece(v_id);
end;
$$;

comment on function private.restore_window is
  'Offers a time again that was taken from a window: as part of what is left of it, or as a window of its own.';
grant execute on function private.restore_window to parking_api;
