create or replace function private.note_push(job_id uuid, succeeded boolean, is_gone boolean)
  returns void
  language plpgsql
  security definer -- nobody but its person ends a subscription
  set search_path = ''
as $$
declare
  -- A device that somebody else signed in on since has another id.
  v_id constant uuid := (
    select (j.data ->> 'subscription_id')::uuid from private.jobs j where j.id = note_push.job_id
  );
begin
  perform private.require_service();

  if note_push.succeeded then
    update parking.push_subscriptions s
       set failing_since = null
     where s.id = v_id
       and s.failing_since is not null;
    return;
  end if;

  update parking.push_subscriptions s
     set failing_since = now()
   where s.id = v_id
     and s.failing_since is null;

  delete from parking.push_subscriptions s
   where s.id = v_id
     and (note_push.is_gone or s.failing_since < now() - interval '5 days');
end;
$$;

comment on function private.note_push is
  'Notes whether an attempt at a push succeeded. A device is forgotten that its push service does not know any more, or that has failed for five days.';
grant execute on function private.note_push to parking_api;
