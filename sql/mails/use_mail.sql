/*
 * A process that sends mails says so at its start, and does the reminders each minute from then on. One
 * that has no mail server says nothing: started by mistake, it ends nobody's mails.
 */
create or replace function private.use_mail()
  returns void
  language plpgsql
  security definer -- the API role has no access to the jobs
  set search_path = ''
as $$
begin
  perform private.require_service();

  perform private.add_job('reminders', 'timed');
  update private.jobs j
     set run_at = clock_timestamp()
   where j.kind = 'reminders'
     and j.key = 'timed'
     and j.run_at < clock_timestamp();
end;
$$;

comment on function private.use_mail is
  'Begins to make mails, or goes on.';
grant execute on function private.use_mail to parking_api;
