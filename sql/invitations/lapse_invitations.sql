/* The invitations of a former administrator let nobody in. Another administrator may invite the person. */
create or replace function private.lapse_invitations()
  returns trigger
  language plpgsql
  security definer -- nobody else may change an invitation
  set search_path = ''
as $$
begin
  update parking.invitations i
     set status = 'lapsed'
   where i.inviter_id = new.id
     and i.status = 'open';
  return null;
end;
$$;

comment on function private.lapse_invitations is
  'Trigger function: ends the open invitations by somebody who is no longer an administrator.';

create or replace trigger lapse_invitations
  after update of is_approved, is_admin on parking.profiles
  for each row
  when (old.is_admin and old.is_approved and not (new.is_admin and new.is_approved))
  execute function private.lapse_invitations();
