/*
 * A browser has one endpoint for all who use it: its messages are for the person who signed in last. The profile
 * is locked first, as an erasure does it; two tabs of one person wait for each other.
 */
create or replace function private.free_endpoint(endpoint text)
  returns void
  language sql
  security definer -- the row may be of the person who used the browser before
  set search_path = ''
begin atomic
  select from parking.profiles p where p.id = (select private.caller_id()) for no key update;
  delete from parking.push_subscriptions s
   where s.endpoint = free_endpoint.endpoint
     and (select private.caller_id()) is not null;
end;

comment on function private.free_endpoint is
  'Ends what a browser gets by this endpoint, which only the browser knows.';
grant execute on function private.free_endpoint to parking_api;

create or replace function api.create_push_subscription(
    inout endpoint text,
    p256dh text,
    auth text,
    out id uuid,
    out created_at timestamptz
)
  language plpgsql
  set search_path = ''
as $$
begin
  perform private.free_endpoint(create_push_subscription.endpoint);
  insert into parking.push_subscriptions as s (endpoint, p256dh, auth)
  values (
    create_push_subscription.endpoint, create_push_subscription.p256dh, create_push_subscription.auth
  )
  returning s.id, s.created_at
       into create_push_subscription.id, create_push_subscription.created_at;
end;
$$;

comment on function api.create_push_subscription is
  'Get messages at once on a device. Who had the same endpoint before gets none there any more';
grant execute on function api.create_push_subscription to parking_api;
