/* A notification as the interface shows it. */
create or replace function private.notification_json(n parking.notifications)
  returns json
  language sql
  stable
  parallel safe
return json_build_object(
  'id', n.id,
  'kind', n.kind,
  'message', n.message,
  'claim_id', n.claim_id,
  'availability_id', n.availability_id,
  'spot_id', n.spot_id,
  'is_read', n.is_read,
  'resolved_at', private.iso8601(n.resolved_at),
  'created_at', private.iso8601(n.created_at),
  'updated_at', private.iso8601(n.updated_at)
);

comment on function private.notification_json is
  'A notification as its recipient sees it.';
grant execute on function private.notification_json to parking_api;
