create or replace function api.delete_push_subscription(
    id uuid,
    out message text,
    out deleted_push_subscription_id uuid
)
  language plpgsql
  set search_path = ''
as $$
begin
  delete from parking.push_subscriptions s
   where s.id = delete_push_subscription.id;

  if not found then
    perform private.refuse_absent('push_subscriptions', requires_approval => false);
  end if;

  message := 'Push subscription deleted successfully';
  deleted_push_subscription_id := delete_push_subscription.id;
end;
$$;

comment on function api.delete_push_subscription is
  'Get no more messages on a device';
grant execute on function api.delete_push_subscription to parking_api;
