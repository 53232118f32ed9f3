/* What is true of every notification. */
alter table parking.notifications
  drop constraint if exists notifications_to_a_resident,
  add constraint notifications_to_a_resident
    foreign key (recipient_id)
    references parking.profiles (id)
    on delete cascade,
  drop constraint if exists notifications_kind_is_known,
  add constraint notifications_kind_is_known
    check (
      kind in (
        'claim.submitted', 'claim.completed', 'claim.cancelled', 'claim.deleted',
        'profile.approved', 'spot.verified'
      )
    );

comment on constraint notifications_to_a_resident on parking.notifications is
  E'@status 404\nUser profile not found';
comment on constraint notifications_kind_is_known on parking.notifications is
  E'@field kind\nkind must be a known kind of notification';
