/*
 * A window that is given back becomes one again with the free pieces beside it. It is the one that stays,
 * so that the claim that gave it back can be undone. What was a claim of a piece becomes one of the window.
 */
create or replace function private.join_pieces(
    id uuid,
    start_time timestamptz default '-infinity',
    end_time timestamptz default 'infinity'
)
  returns void
  language plpgsql
  volatile
  security invoker -- for triggers that may: no grant to the API role
  set search_path = ''
as $$
declare
  v_wanted constant tstzrange := tstzrange(join_pieces.start_time, join_pieces.end_time);
  v_window parking.availabilities;
  v_piece parking.availabilities;
  v_left tstzrange;
  v_during tstzrange;
  v_joined uuid[] := '{}';
begin
  select a.* into v_window
    from parking.availabilities a
   where a.id = join_pieces.id;
  v_during := v_window.during;

  for v_piece in
    select n.*
      from parking.availabilities n
     where n.part_of = v_window.part_of
       and n.during -|- v_window.during
     order by n.id
       -- Also those that seem to be claimed: a snapshot may be older than the end of that claim, and then
       -- only the lock fails.
       for no key update
  loop
    continue when v_piece.is_claimed;

    v_left := v_piece.during - v_wanted;
    if isempty(v_left) then
      -- With the piece its cancelled claims would be deleted.
      update parking.claims c
         set availability_id = v_window.id
       where c.availability_id = v_piece.id;

      -- Nobody withdrew it, so nobody reads that it was deleted.
      insert into private.new_events (type, subject_id, data)
      values ('availability.joined', v_piece.id, to_jsonb(v_piece));
      perform set_config('parking.tidying', 'on', true);
      delete from parking.availabilities a
       where a.id = v_piece.id;
      perform set_config('parking.tidying', 'off', true);
      v_joined := v_joined || v_piece.id;
    elsif v_left <> v_piece.during then
      update parking.availabilities a
         set start_time = lower(v_left),
             end_time = upper(v_left)
       where a.id = v_piece.id;
    end if;
    v_during := v_during + v_piece.during * v_wanted;
  end loop;

  -- After the pieces: windows never overlap.
  if v_during <> v_window.during then
    perform set_config('parking.recutting', 'on', true); -- the pieces were on offer
    update parking.availabilities a
       set start_time = lower(v_during),
           end_time = upper(v_during)
     where a.id = v_window.id;
    perform set_config('parking.recutting', 'off', true);
  end if;
  -- A claim that takes them leaves nothing to offer.
  if not v_window.is_claimed then
    perform private.move_offers(p, v_window.id) from unnest(v_joined) p;
  end if;
end;
$$;

comment on function private.join_pieces is
  'Joins the window with this id with the free pieces of the same origin beside it, or with what lies between these times of them.';
