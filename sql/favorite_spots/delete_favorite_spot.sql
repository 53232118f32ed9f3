create or replace function api.delete_favorite_spot(
    id uuid,
    out message text,
    out deleted_favorite_spot_id uuid
)
  language plpgsql
  set search_path = ''
as $$
begin
  delete from parking.favorite_spots f
   where f.id = delete_favorite_spot.id;

  if not found then
    perform private.refuse_absent('favorite_spots');
  end if;

  message := 'Favorite spot removed successfully';
  deleted_favorite_spot_id := delete_favorite_spot.id;
end;
$$;

comment on function api.delete_favorite_spot is
  'Take your star from a spot';
grant execute on function api.delete_favorite_spot to parking_api;
