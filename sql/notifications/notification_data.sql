/* The facts in the sentences of private.notification_message, for clients with sentences of their own. */
create or replace function private.notification_data(
    recipient_id uuid,
    spot parking.spots,
    start_time timestamptz,
    end_time timestamptz,
    reason text,
    offered_from timestamptz default null,
    offered_until timestamptz default null
)
  returns jsonb
  language sql
  stable
return jsonb_strip_nulls(jsonb_build_object(
  'spot_number', (spot).spot_number,
  'is_owner', case when recipient_id = (spot).owner_id then true end,
  'start_time', private.iso8601(start_time),
  'end_time', private.iso8601(end_time),
  'reason', reason,
  'offered_from', private.iso8601(offered_from),
  'offered_until', private.iso8601(offered_until)
));

comment on function private.notification_data is
  'What the message of a notification is made of. What it does not have is missing.';
