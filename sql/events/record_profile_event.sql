/* Profiles are registered, approved and updated; none is deleted. */
create or replace function private.record_profile_event()
  returns trigger
  language plpgsql
  security definer -- only triggers write events
  set search_path = ''
as $$
begin
  insert into private.events (type, subject_id, data)
  values (
    case
      when tg_op = 'INSERT' then 'profile.registered'
      when new.is_approved and not old.is_approved then 'profile.approved'
      else 'profile.updated'
    end,
    new.id,
    private.profile_json(new)
  );
  return null;
end;
$$;

comment on function private.record_profile_event is
  'Trigger function: logs what happened to a profile.';

create or replace trigger record_registration
  after insert on parking.profiles
  for each row
  execute function private.record_profile_event();

create or replace trigger record_update
  after update on parking.profiles
  for each row
  when (
    (
      new.email, new.full_name, new.apartment_number, new.phone_number, new.shares_phone_number,
      new.is_approved, new.is_admin
    ) is distinct from (
      old.email, old.full_name, old.apartment_number, old.phone_number, old.shares_phone_number,
      old.is_approved, old.is_admin
    )
  )
  execute function private.record_profile_event();
