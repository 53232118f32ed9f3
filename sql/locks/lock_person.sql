/* The first locks of an erasure, and of a change of flags, in the order of private.lock_spot. */
create or replace function private.lock_person(id uuid)
  returns void
  language plpgsql
  volatile
  security invoker -- the owner's tool: no grant to the API role
  set search_path = ''
as $$
begin
  update private.administrators_lock set only_row = true; -- written, as in private.lock_administrators
  perform from private.users u where u.id = lock_person.id for update;
  -- Claims by the person or of their windows wait here, and spots that they register. Notifications
  -- to them do not: who writes one may have a claim that the erasure waits for.
  perform from parking.profiles p where p.id = lock_person.id for no key update;
end;
$$;

comment on function private.lock_person is
  'Locks the sign-in data and the profile of the person with this id.';
