/* Without a mail server nothing is made that nobody would send. */
create or replace function private.is_mail_on()
  returns boolean
  language sql
  stable
  set search_path = ''
begin atomic
  select exists (select from private.jobs j where j.kind = 'reminders' and j.key = 'timed');
end;

comment on function private.is_mail_on is
  'Whether a process sends mails, or one did in the last days.';
