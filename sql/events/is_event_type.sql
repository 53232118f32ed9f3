/* A function, because each INSERT reads the expression of a check anew, and a list word by word: a fiftieth of a claim. */
create or replace function private.is_event_type(type text)
  returns boolean
  language plpgsql
  immutable
  parallel safe
  set search_path = ''
as $$
begin
  return type in (
    'profile.registered', 'profile.updated', 'profile.approved', 'profile.rejected', 'profile.erased',
    'spot.registered', 'spot.updated', 'spot.verified', 'spot.deleted',
    'availability.created', 'availability.updated', 'availability.deleted',
    'pattern.created', 'pattern.updated', 'pattern.deleted',
    'claim.submitted', 'claim.updated', 'claim.completed', 'claim.cancelled', 'claim.deleted',
    'report.submitted', 'report.resolved',
    'building.updated', 'access.updated',
    'notification.created'
  );
end;
$$;

comment on function private.is_event_type is
  'Whether this is a type of event.';
grant execute on function private.is_event_type to parking_api;
