create or replace function api.get_push_subscription(
    inout id uuid,
    out endpoint text,
    out created_at timestamptz
)
  returns setof record
  language sql
  stable
  rows 1
as $$
  select s.id, s.endpoint, s.created_at
    from parking.push_subscriptions s
   where s.id = get_push_subscription.id
$$;

comment on function api.get_push_subscription is
  'One of your devices that get messages at once';
grant execute on function api.get_push_subscription to parking_api;

create or replace function api.list_push_subscriptions()
  returns table (id uuid, endpoint text, created_at timestamptz)
  language sql
  stable
as $$
  select s.id, s.endpoint, s.created_at
    from parking.push_subscriptions s
$$;

comment on function api.list_push_subscriptions is
  'Your devices that get messages at once, newest first';
grant execute on function api.list_push_subscriptions to parking_api;
