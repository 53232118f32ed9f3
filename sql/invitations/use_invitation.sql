/* A person who registers, or whose address is confirmed later, may have been invited. */
create or replace function private.use_invitation()
  returns trigger
  language plpgsql
  security definer -- approves in the name of the administrator who invited
  set search_path = ''
as $$
begin
  perform private.accept_invitation(i.id, p.id)
     from private.users u
     join parking.profiles p on p.id = u.id
     join parking.invitations i on i.address = private.address_key(u.email) and i.status = 'open'
    where u.id = new.id
      and u.email_confirmed_at is not null -- somebody else may only claim the address
      -- Whose approval an administrator took back, an older invitation does not bring in again.
      and (
        p.is_approved
        or not exists (
          select from private.events e where e.subject_id = p.id and e.type = 'profile.approved'
        )
      );
  return null;
end;
$$;

comment on function private.use_invitation is
  'Trigger function: accepts the open invitation to the confirmed address of the person.';

-- After record_registration, for the log: triggers run in the order of their names.
create or replace trigger use_invitation
  after insert on parking.profiles
  for each row
  execute function private.use_invitation();

create or replace trigger use_invitation
  after update of email, email_confirmed_at on private.users
  for each row
  when (new.email_confirmed_at is not null)
  execute function private.use_invitation();
