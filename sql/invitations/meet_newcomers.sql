/*
 * Who invites, and who registers or confirms an address, run one after the other: at one moment each
 * would miss the other, and somebody who is expected would wait. So do two who invite, and who takes an
 * administrator's rights away.
 */
create or replace function private.meet_newcomers()
  returns trigger
  language plpgsql
  security definer -- the API role has no access to the row
  set search_path = ''
as $$
begin
  -- Written, not only locked: a snapshot from before, which If-Match takes, then fails and is taken anew.
  update private.administrators_lock set only_row = true;
  return null;
end;
$$;

comment on function private.meet_newcomers is
  'Trigger function: makes those who invite wait for each other, and for who registers or confirms an address.';

create or replace trigger meet_newcomers
  before insert on parking.invitations
  for each statement
  execute function private.meet_newcomers();

create or replace trigger meet_invitations
  before insert on parking.profiles
  for each statement
  execute function private.lock_administrators();

create or replace trigger meet_invitations
  before update of email, email_confirmed_at on private.users
  for each statement
  execute function private.lock_administrators();
