/* A function for the reason that private.is_event_type has. */
create or replace function private.is_notification_kind(kind text)
  returns boolean
  language plpgsql
  immutable
  parallel safe
  set search_path = ''
as $$
begin
  return kind in (
    'claim.submitted', 'claim.completed', 'claim.cancelled', 'claim.deleted',
    'profile.approved', 'profile.rejected', 'profiles.waiting', 'spot.verified', 'spot.deleted', 'availability.deleted',
    'report.submitted', 'wish.fits', 'webhook.disabled'
  );
end;
$$;

comment on function private.is_notification_kind is
  'Whether this is a kind of notification.';
grant execute on function private.is_notification_kind to parking_api;
