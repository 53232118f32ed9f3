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
  perform private.begin_reminders('reminders');
end;
$$;

comment on function private.use_mail is
  'Begins to make mails, or goes on.';
grant execute on function private.use_mail to parking_api;

create or replace function private.begin_reminders(kind text)
  returns void
  language plpgsql
  security invoker -- for functions that may: no grant to the API role
  set search_path = ''
as $$
begin
  perform private.add_job(begin_reminders.kind, 'timed');
  update private.jobs j
     set run_at = clock_timestamp()
   where j.kind = begin_reminders.kind
     and j.key = 'timed'
     and j.run_at < clock_timestamp();
end;
$$;

comment on function private.begin_reminders is
  'Adds the job of reminders of this kind, or makes it due.';

/* Each process that sends pushes offers a key pair at its start. The first one is kept, for all of them. */
create or replace function private.use_push(public_key text, private_key text)
  returns void
  language plpgsql
  security definer -- the API role has no access to the key and the jobs
  set search_path = ''
as $$
begin
  perform private.require_service();

  insert into private.push_key (public_key, private_key)
  values (use_push.public_key, use_push.private_key)
  on conflict do nothing;
  perform private.begin_reminders('pushreminders');
end;
$$;

comment on function private.use_push is
  'Begins to make pushes, or goes on, with this key pair unless there is one.';
grant execute on function private.use_push to parking_api;
