/* The way of the API role to private.lock_person. */
create or replace function private.lock_person_as_administrator(id uuid)
  returns void
  language plpgsql
  volatile
  security definer -- the API role has no access to administrators_lock and private.users
  set search_path = ''
as $$
begin
  perform private.lock_person(lock_person_as_administrator.id);
  perform private.require_administrator(); -- still, after all the waiting
end;
$$;

comment on function private.lock_person_as_administrator is
  'Locks the person with this id before the erasure, for an administrator.';
grant execute on function private.lock_person_as_administrator to parking_api;
