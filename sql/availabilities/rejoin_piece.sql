/* What is published beside a piece of the same window, or of the same day of a pattern, becomes one with it. */
create or replace function private.rejoin_piece(id uuid)
  returns void
  language plpgsql
  volatile
  security definer -- the API role may write neither part_of nor origins
  set search_path = ''
as $$
declare
  v_piece_id uuid;
begin
  update parking.availabilities a
     set part_of = n.part_of
    from parking.availabilities n
   where a.id = rejoin_piece.id
     and a.owner_id = (select private.caller_id())
     and not a.is_claimed
     and n.spot_id = a.spot_id
     and n.part_of is not null
     and n.during -|- a.during
     and (
       private.origin_of(n.id) = private.origin_of(a.id)
       or (n.pattern_id, n.pattern_day) = (a.pattern_id, a.pattern_day)
     )
  returning n.id into v_piece_id;

  if v_piece_id is not null then
    insert into private.window_origins (window_id, origin_id)
    values (rejoin_piece.id, private.origin_of(v_piece_id))
    on conflict do nothing;
    perform private.join_pieces(rejoin_piece.id);
  end if;
end;
$$;

comment on function private.rejoin_piece is
  'Makes a free window of the caller, with this id, a piece of what was one window with that beside it, and joins those that are free.';
grant execute on function private.rejoin_piece to parking_api;
