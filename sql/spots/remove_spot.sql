create or replace function api.remove_spot(
    id uuid,
    reason text,
    out message text,
    out deleted_spot_id uuid
)
  language plpgsql
  volatile
  security invoker
  set search_path = ''
as $$
begin
  perform private.require_administrator();
  perform private.give_reason(remove_spot.reason);

  delete from parking.spots s
   where s.id = remove_spot.id;

  if not found then
    perform private.require_administrator(); -- the caller may have lost the right meanwhile
    perform private.refuse_absent('spots');
  end if;

  message := 'Parking spot deleted successfully';
  deleted_spot_id := remove_spot.id;
end;
$$;

comment on function api.remove_spot is
  'Remove a resident''s spot with its windows and past claims, with a reason that they read';
grant execute on function api.remove_spot to parking_api;
