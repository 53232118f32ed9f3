/* Every text of a notification. It is made anew where what it repeats has been erased. */
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
