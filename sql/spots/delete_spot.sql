create or replace function api.delete_spot(
    id uuid,
    out message text,
    out deleted_spot_id uuid
)
  language plpgsql
  set search_path = ''
as $$
declare
  v_is_found boolean;
begin
  -- Locked before, so that a spot that is gone afterwards was retired here (private.retire_spot).
  perform
     from parking.spots s
    where s.id = delete_spot.id
      for update;
  v_is_found := found;

  delete from parking.spots s
   where s.id = delete_spot.id;

  if not found and (not v_is_found or exists (select from api.get_spot(delete_spot.id))) then
    perform private.refuse_unchanged(
      'spots', 'spots_deleted_by_owner',
      exists (select from api.get_spot(delete_spot.id))
    );
  end if;

  message := 'Parking spot deleted successfully';
  deleted_spot_id := delete_spot.id;
end;
$$;

comment on function api.delete_spot is
  'Remove your spot: what was to come ends, and what is over stays with those who claimed it';
grant execute on function api.delete_spot to parking_api;
