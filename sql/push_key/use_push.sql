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
