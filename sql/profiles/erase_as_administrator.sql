/* The way of the API role to private.erase_person. */
create or replace function private.erase_as_administrator(id uuid)
  returns void
  language plpgsql
  volatile
  security definer -- the API role may change neither the event log nor the data of others
  set search_path = ''
as $$
begin
  perform private.lock_person_as_administrator(erase_as_administrator.id);
  perform private.erase_person(erase_as_administrator.id);
end;
$$;

comment on function private.erase_as_administrator is
  'Erases the personal data of the person with this id, for an administrator.';
grant execute on function private.erase_as_administrator to parking_api;
