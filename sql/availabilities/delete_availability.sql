create or replace function api.delete_availability(
    id uuid,
    out message text,
    out deleted_availability_id uuid
)
  language plpgsql
  volatile
  security invoker
  set search_path = ''
as $$
begin
  perform private.lock_spot_of_window(delete_availability.id);
  perform private.require_approved();

  delete from parking.availabilities a
   where a.id = delete_availability.id;

  if not found then
    if exists (select from parking.availabilities a where a.id = delete_availability.id) then
      perform private.refuse('availabilities_deleted_by_spot_owner');
    end if;
    perform private.refuse_absent('availabilities');
  end if;

  message := 'Availability deleted successfully';
  deleted_availability_id := delete_availability.id;
end;
$$;

comment on function api.delete_availability is
  'Withdraw a window of your spot that nobody has claimed';
grant execute on function api.delete_availability to parking_api;
