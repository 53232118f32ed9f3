/* The rest of a claimed window stays on offer: what was beside the claim becomes windows of their own. */
create or replace function private.offer_rest(
    id uuid,
    start_time timestamptz,
    end_time timestamptz
)
  returns void
  language plpgsql
  volatile
  security invoker -- for triggers that may: no grant to the API role
  set search_path = ''
as $$
declare
  v_claimed constant tstzrange := tstzrange(offer_rest.start_time, offer_rest.end_time);
  v_window parking.availabilities;
  v_rest tstzrange;
  v_rest_id uuid;
begin
  select a.* into v_window
    from parking.availabilities a
   where a.id = offer_rest.id;

  if v_window.during = v_claimed then
    return;
  end if;

  -- As in private.join_pieces.
  perform
     from parking.availabilities n
    where n.part_of = v_window.part_of
      and n.during -|- v_window.during
    order by n.id
      for no key update;

  v_window.part_of := coalesce(v_window.part_of, uuidv7());
  update parking.availabilities a
     set start_time = lower(v_claimed),
         end_time = upper(v_claimed),
         part_of = v_window.part_of
   where a.id = v_window.id;

  for v_rest in
    select unnest(v_window.during::tstzmultirange - v_claimed::tstzmultirange)
  loop
    update parking.availabilities n
       set start_time = least(n.start_time, lower(v_rest)),
           end_time = greatest(n.end_time, upper(v_rest))
     where n.part_of = v_window.part_of
       and n.during -|- v_rest
       and not n.is_claimed;

    -- It was offered when its window was.
    if not found then
      insert into parking.availabilities as r
        (spot_id, owner_id, start_time, end_time, part_of, pattern_id, pattern_day, created_at)
      values (
        v_window.spot_id, v_window.owner_id, lower(v_rest), upper(v_rest),
        v_window.part_of, v_window.pattern_id, v_window.pattern_day, v_window.created_at
      )
      returning r.id into v_rest_id;
      insert into private.window_origins (window_id, origin_id)
      values (v_rest_id, private.origin_of(v_window.id));
    end if;
  end loop;
end;
$$;

comment on function private.offer_rest is
  'Cuts the claimed window with this id to these times, and puts the rest on offer: with the free piece of the same origin beside it, or as a new one.';
