create or replace function private.drop_push_subscription(job_id uuid)
  returns void
  language plpgsql
  security definer -- nobody but its person ends a subscription
  set search_path = ''
as $$
begin
  perform private.require_service();

  -- A device that somebody else signed in on since has another id.
  delete from parking.push_subscriptions s
   using private.jobs j
   where j.id = drop_push_subscription.job_id
     and s.id = (j.data ->> 'subscription_id')::uuid;
end;
$$;

comment on function private.drop_push_subscription is
  'Forgets the device of a push, which its push service does not know any more.';
grant execute on function private.drop_push_subscription to parking_api;
