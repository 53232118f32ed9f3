create or replace function api.delete_exception(
    id uuid,
    out message text,
    out deleted_exception_id uuid
)
  language plpgsql
  security invoker -- what is published again is published as by its owner, so every rule binds
  set search_path = ''
as $$
begin
  perform private.lock_spots_of_exception(delete_exception.id);
  perform private.require_approved();

  delete from parking.exceptions e
   where e.id = delete_exception.id;

  if not found then
    perform private.refuse_absent('exceptions');
  end if;

  message := 'Exception deleted successfully';
  deleted_exception_id := delete_exception.id;
end;
$$;

comment on function api.delete_exception is
  'Delete an exception: what it kept is on offer again, what it shared is not, but for what is claimed';
grant execute on function api.delete_exception to parking_api;
