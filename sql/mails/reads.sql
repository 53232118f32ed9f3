/* Without a process that sends them nothing is made that nobody would send. */
create or replace function private.is_sent(channel text)
  returns boolean
  language sql
  stable
  set search_path = ''
begin atomic
  select exists (
    select
      from private.jobs j
     where j.kind = case is_sent.channel when 'mail' then 'reminders' else 'pushreminders' end
       and j.key = 'timed'
  );
end;

comment on function private.is_sent is
  'Whether a process sends by this channel, mail or push, or one did in the last days.';
