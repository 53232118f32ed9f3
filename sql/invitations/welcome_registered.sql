/* An invited person may have registered already. The invitation approves them now. */
create or replace function private.welcome_registered()
  returns trigger
  language plpgsql
  security definer -- reads the sign-in data of everybody
  set search_path = ''
as $$
declare
  -- The newest, where several accounts have one address.
  v_id constant uuid := (
    select p.id
      from private.users u
      join parking.profiles p on p.id = u.id
     where private.address_key(u.email) = new.address
       and u.email_confirmed_at is not null
     order by p.created_at desc, p.id
     limit 1
  );
begin
  perform private.accept_invitation(new.id, v_id) where v_id is not null;
  return null;
end;
$$;

comment on function private.welcome_registered is
  'Trigger function: accepts an invitation for whoever has registered with the confirmed address.';

-- Deferred, so that all invitations of a list are open while the rules look for duplicates.
drop trigger if exists welcome_registered on parking.invitations;
create constraint trigger welcome_registered
  after insert on parking.invitations
  deferrable initially deferred
  for each row
  execute function private.welcome_registered();
