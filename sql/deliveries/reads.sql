create or replace function api.list_deliveries()
  returns setof parking.deliveries
  language sql
  stable
as $$
  select d.*
    from parking.deliveries d
$$;

comment on function api.list_deliveries is
  'What was sent to a webhook, or will be, newest first';
grant execute on function api.list_deliveries to parking_api;

/* Read at each attempt: what was changed or erased since goes out no more. */
create or replace function private.get_delivery(webhook_id uuid, event_id uuid)
  returns table (
    url text,
    format text,
    enabled boolean,
    secrets text[],
    type text,
    occurred_at timestamptz,
    data jsonb,
    building text,
    time_zone text,
    spot_number text
  )
  language plpgsql
  stable
  security definer -- the API role has no access to the secrets and the log
  rows 1
  set search_path = ''
as $$
declare
  v_building constant parking.building := private.building();
begin
  perform private.require_service();

  return query
  select w.url,
         w.format,
         w.enabled,
         array(
           select s.secret
             from private.webhook_secrets s
            where s.webhook_id = w.id
              and coalesce(s.expires_at > now(), true)
            order by s.expires_at desc nulls first
         ),
         e.type,
         e.occurred_at::timestamptz,
         e.data,
         v_building.name,
         v_building.time_zone,
         (
           select s.spot_number
             from parking.spots s
            where s.id = coalesce(
              (e.data ->> 'spot_id')::uuid,
              (select c.spot_id from parking.claims c where c.id = e.subject_id)
            )
         )
    from parking.webhooks w
    left join private.events e on e.id = get_delivery.event_id
   where w.id = get_delivery.webhook_id;
end;
$$;

comment on function private.get_delivery is
  'What the service needs to send an event to a webhook. No row: the webhook was deleted. No type: it is a test, or the event is kept no longer.';
grant execute on function private.get_delivery to parking_api;
