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
