create or replace function api.remove_availability(
    id uuid,
    reason text,
    out message text,
    out deleted_availability_id uuid
)
  language plpgsql
  volatile
  security invoker
  set search_path = ''
as $$
begin
  perform private.lock_spot_of_window(remove_availability.id);
  perform private.require_administrator();
  perform private.give_reason(remove_availability.reason);

  delete from parking.availabilities a
   where a.id = remove_availability.id;

  if not found then
    perform private.require_administrator(); -- the caller may have lost the right meanwhile
    perform private.refuse_absent('availabilities');
  end if;

  message := 'Availability deleted successfully';
  deleted_availability_id := remove_availability.id;
end;
$$;

comment on function api.remove_availability is
  'Withdraw a resident''s window that nobody has claimed, with a reason that they read';
grant execute on function api.remove_availability to parking_api;
