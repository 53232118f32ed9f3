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

create or replace trigger lapse_invitations
  after update of is_approved, is_admin on parking.profiles
  for each row
  when (old.is_admin and old.is_approved and not (new.is_admin and new.is_approved))
  execute function private.lapse_invitations();

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

-- Deferred, so that all invitations of a list are open while the rules look for duplicates.
drop trigger if exists welcome_registered on parking.invitations;
create constraint trigger welcome_registered
  after insert on parking.invitations
  deferrable initially deferred
  for each row
  execute function private.welcome_registered();

create or replace function private.mail_invitation()
  returns trigger
  language plpgsql
  security definer -- the API role has no access to the jobs
  set search_path = ''
as $$
begin
  if private.is_sent('mail') then
    perform private.add_job(
      'mail',
      'invitation.' || new.id,
      jsonb_build_object('kind', 'invitation', 'invitation_id', new.id)
    );
  end if;
  return null;
end;
$$;

create or replace trigger mail_invitation
  after insert on parking.invitations
  for each row
  execute function private.mail_invitation();
