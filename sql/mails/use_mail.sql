/* A process that does jobs says at its start whether it has a mail server. They all have the same settings. */
create or replace function private.use_mail(is_on boolean)
  returns void
  language plpgsql
  volatile
  security definer -- the API role has no access to the jobs
  set search_path = ''
as $$
begin
  perform private.require_service();

  if use_mail.is_on then
    perform private.add_job('reminders', 'timed');
  else
    delete from private.jobs j
     where j.kind in ('reminders', 'mail')
       and j.ended_at is null;
  end if;
end;
$$;

comment on function private.use_mail is
  'Begins to make mails, or ends it and drops those that were not sent.';
grant execute on function private.use_mail to parking_api;
