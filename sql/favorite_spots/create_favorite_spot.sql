create or replace function api.create_favorite_spot(spot_id uuid)
  returns parking.favorite_spots
  language plpgsql
  set search_path = ''
as $$
declare
  v_favorite parking.favorite_spots;
begin
  perform private.require_approved();

  insert into parking.favorite_spots (spot_id)
  select s.id
    from api.get_spot(create_favorite_spot.spot_id) s
  on conflict on constraint favorite_spots_person_id_spot_id_key do nothing
  returning * into v_favorite;

  if not found then
    select f.*
      into v_favorite
      from parking.favorite_spots f
     where f.spot_id = create_favorite_spot.spot_id;
  end if;

  if v_favorite.id is null then
    perform private.refuse('favorite_spots_of_a_spot', '23503');
  end if;

  return v_favorite;
end;
$$;

comment on function api.create_favorite_spot is
  'Give a spot a star. Where it has one of yours, that is the answer';
grant execute on function api.create_favorite_spot to parking_api;
