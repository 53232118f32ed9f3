alter table parking.notifications
  drop constraint if exists notifications_kind_is_known,
  add constraint notifications_kind_is_known
    check (
      kind in (
        'claim.submitted', 'claim.completed', 'claim.cancelled', 'claim.deleted',
        'profile.approved', 'spot.verified', 'spot.deleted', 'availability.deleted'
      )
    );

comment on constraint notifications_kind_is_known on parking.notifications is
  E'@field kind\nkind must be a known kind of notification';
