/* What is published beside a piece of the same window, or of the same day of a pattern, becomes one with it. */
create or replace function private.rejoin_piece(id uuid)
  returns void
  language plpgsql
  volatile
  security definer -- the API role may write neither part_of nor origins
  set search_path = ''
as $$
declare
  v_window parking.availabilities;
  v_beside parking.availabilities[];
  v_parts uuid[];
begin
  select a.* into v_window
    from parking.availabilities a
   where a.id = rejoin_piece.id
     and a.owner_id = (select private.caller_id())
     and not a.is_claimed;
  v_beside := array(
    select n
      from parking.availabilities n
     where n.spot_id = v_window.spot_id
       and n.during -|- v_window.during
       and (
         private.origin_of(n.id) = private.origin_of(v_window.id)
         or n.part_of is not null
           and (n.pattern_id, n.pattern_day) = (v_window.pattern_id, v_window.pattern_day)
       )
  );
  if cardinality(v_beside) = 0 then
    return;
  end if;

  -- What exceptions cut has no number yet, and the two sides may have different ones.
  v_parts := array(
    select b.part_of from unnest(v_beside) b where b.part_of is not null
  ) || coalesce(v_window.part_of, uuidv7());

  -- What its owner moved meanwhile may be more than what was cut off.
  if exists (
    select
      from parking.availabilities a
     where a.spot_id = v_window.spot_id
       and (
         a.id = v_window.id
         or a.id in (select b.id from unnest(v_beside) b)
         or a.part_of = any (v_parts)
       )
    having max(a.end_time) > private.days_after(
      min(a.start_time), (private.limits_of(v_window.spot_id)).longest_window_days
    )
  ) then
    return;
  end if;

  update parking.availabilities a
     set part_of = v_parts[1]
   where a.spot_id = v_window.spot_id
     and (
       a.id = v_window.id
       or a.id in (select b.id from unnest(v_beside) b)
       or a.part_of = any (v_parts)
     )
     and a.part_of is distinct from v_parts[1];

  insert into private.window_origins (window_id, origin_id)
  select v_window.id, private.origin_of(v_beside[1].id)
   where private.origin_of(v_beside[1].id) <> v_window.id
  on conflict do nothing;
  perform private.join_pieces(v_window.id);
end;
$$;

comment on function private.rejoin_piece is
  'Makes a free window of the caller, with this id, a piece of what was one window with those beside it, and joins those that are free: up to the longest window of the spot.';
grant execute on function private.rejoin_piece to parking_api;
