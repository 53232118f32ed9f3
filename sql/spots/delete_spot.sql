create or replace function api.delete_spot(
    id uuid,
    out message text,
    out deleted_spot_id uuid
)
  language plpgsql
  volatile
  security invoker
  set search_path = ''
as $$
begin
  perform private.require_approved();

  delete from parking.spots s
   where s.id = delete_spot.id;

  if not found then
    perform private.refuse_unchanged(
      'spots', 'spots_deleted_by_owner',
      exists (select from parking.spots s where s.id = delete_spot.id)
    );
  end if;

  message := 'Parking spot deleted successfully';
  deleted_spot_id := delete_spot.id;
end;
$$;

comment on function api.delete_spot is
  'Remove your spot with its windows and past claims';
grant execute on function api.delete_spot to parking_api;
