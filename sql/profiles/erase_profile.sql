create or replace function private.erase_as_administrator(id uuid)
  returns void
  language plpgsql
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

create or replace function api.erase_profile(
    id uuid,
    reason text,
    out message text,
    out deleted_profile_id uuid
)
  language plpgsql
  set search_path = ''
as $$
begin
  perform private.require_administrator();
  perform private.give_reason(erase_profile.reason);

  if not exists (select from parking.profiles p where p.id = erase_profile.id) then
    perform private.refuse_absent('profiles');
  end if;

  perform private.erase_as_administrator(erase_profile.id);

  message := 'Personal data erased successfully';
  deleted_profile_id := erase_profile.id;
end;
$$;

comment on function api.erase_profile is
  'Erase a person''s data and what was written about them; their claims end, their spots are removed, their account is closed';
grant execute on function api.erase_profile to parking_api;
