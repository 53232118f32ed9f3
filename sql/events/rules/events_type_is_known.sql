alter table private.events
  drop constraint if exists events_type_is_known,
  add constraint events_type_is_known
    check (
      type in (
        'profile.registered', 'profile.updated', 'profile.approved', 'profile.erased',
        'spot.registered', 'spot.updated', 'spot.verified', 'spot.deleted',
        'availability.created', 'availability.updated', 'availability.deleted',
        'claim.submitted', 'claim.updated', 'claim.completed', 'claim.cancelled', 'claim.deleted'
      )
    );

comment on constraint events_type_is_known on private.events is
  E'@field type\ntype must be a known type of event';
