/* Without a process that sends mails nothing is kept for it. Three days are more than an outage lasts. */
create or replace function private.drop_unsent_mails()
  returns void
  language sql
  volatile
  security invoker -- for private.prune: no grant to the API role
  set search_path = ''
begin atomic
  delete from private.jobs j
   where j.kind in ('reminders', 'mail')
     and j.ended_at is null
     and exists (
       select
         from private.jobs r
        where r.kind = 'reminders'
          and r.key = 'timed'
          and r.run_at < now() - interval '3 days'
     );
end;

comment on function private.drop_unsent_mails is
  'Where no process has sent mails for three days: drops those that wait, and makes no more.';
