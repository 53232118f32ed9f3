/* Profiles are registered, approved, rejected and updated; none is deleted. */
create or replace trigger record_registration
  after insert on parking.profiles
  for each row
  execute function private.record_event('profile.registered');

create or replace trigger record_approval
  after update on parking.profiles
  for each row
  when (new.is_approved and not old.is_approved)
  execute function private.record_event('profile.approved');

create or replace trigger record_rejection
  after update on parking.profiles
  for each row
  when (
    new.rejection_reason is distinct from old.rejection_reason
    and new.rejection_reason is not null
  )
  execute function private.record_event('profile.rejected');

create or replace trigger record_update
  after update on parking.profiles
  for each row
  when (
    not (new.is_approved and not old.is_approved)
    and (new.rejection_reason is null or new.rejection_reason = old.rejection_reason)
    and (
      new.email, new.full_name, new.apartment_number, new.phone_number, new.shares_phone_number,
      new.vehicle, new.is_approved, new.is_admin, new.rejection_reason
    ) is distinct from (
      old.email, old.full_name, old.apartment_number, old.phone_number, old.shares_phone_number,
      old.vehicle, old.is_approved, old.is_admin, old.rejection_reason
    )
  )
  execute function private.record_event('profile.updated');
