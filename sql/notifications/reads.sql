create or replace function api.get_notification(id uuid)
  returns setof parking.notifications
  language sql
  stable
  rows 1
as $$
  select n.*
    from parking.notifications n
   where n.id = get_notification.id
$$;

comment on function api.get_notification is
  'One of your notifications';
grant execute on function api.get_notification to parking_api;

create or replace function api.list_notifications()
  returns setof parking.notifications
  language sql
  stable
as $$
  select n.*
    from parking.notifications n
$$;

comment on function api.list_notifications is
  'Messages to you, newest first';
grant execute on function api.list_notifications to parking_api;

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

create or replace function private.notification_message(
    recipient_id uuid,
    kind text,
    spot parking.spots,
    start_time timestamptz,
    end_time timestamptz,
    reason text
)
  returns text
  language plpgsql
  stable
  set search_path = ''
as $$
declare
  v_is_owner constant boolean := recipient_id = spot.owner_id;
  v_span constant text := private.readable_span(start_time, end_time);
begin
  return concat_ws('. Reason: ', case
    when kind = 'profile.approved' then 'Your account was approved'
    when kind = 'profile.rejected' then 'Your account was not approved'
    when kind = 'profiles.waiting' then 'Somebody waits for approval'
    when kind = 'webhook.disabled' then 'A webhook was turned off, because its deliveries failed'
    when kind = 'spot.verified' then format('Your parking spot %s was verified', spot.spot_number)
    when kind = 'spot.deleted' and v_is_owner
      then format('Your parking spot %s was deleted', spot.spot_number)
    when kind = 'spot.deleted' and start_time is not null
      then format('Parking spot %s, which you waited for %s, was deleted', spot.spot_number, v_span)
    when kind = 'spot.deleted'
      then format('Parking spot %s, which you had claimed, was deleted', spot.spot_number)
    when kind = 'availability.deleted'
      then format('Your window of parking spot %s %s was deleted', spot.spot_number, v_span)
    when kind = 'report.submitted' and v_is_owner
      then format('A stranger''s car was reported on your parking spot %s', spot.spot_number)
    when kind = 'report.submitted'
      then format('A stranger''s car was reported on parking spot %s', spot.spot_number)
    when kind = 'claim.submitted' and v_is_owner
      then format('Your parking spot %s was claimed %s', spot.spot_number, v_span)
    when kind = 'claim.submitted'
      then format('Parking spot %s was claimed for you %s', spot.spot_number, v_span)
    when kind = 'wish.fits'
      then format('Parking spot %s is free %s, as you wished', spot.spot_number, v_span)
    else format(
      '%s parking spot %s %s was %s',
      case when v_is_owner then 'The claim of your' else 'Your claim of' end,
      spot.spot_number,
      v_span,
      split_part(kind, '.', 2)
    )
  end, reason);
end;
$$;

comment on function private.notification_message is
  'What a notification of this kind says to the recipient: what happened, in a sentence, and the reason if there is one.';

create or replace function private.readable_span(start_time timestamptz, end_time timestamptz)
  returns text
  language plpgsql
  stable
  set search_path = ''
as $$
declare
  v_time_zone constant text := (private.building()).time_zone;
begin
  return format(
    'from %s to %s %s',
    to_char(start_time at time zone v_time_zone, 'YYYY-MM-DD HH24:MI'),
    to_char(end_time at time zone v_time_zone, 'YYYY-MM-DD HH24:MI'),
    v_time_zone
  );
end;
$$;

comment on function private.readable_span is
  'From when to when, to the minute, in the time zone of the building, which it names.';
