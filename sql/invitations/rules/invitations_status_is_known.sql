alter table parking.invitations
  drop constraint if exists invitations_status_is_known,
  add constraint invitations_status_is_known
    check (
      status in ('open', 'accepted', 'lapsed')
      and (status = 'accepted') = (profile_id is not null and accepted_at is not null)
    );

comment on constraint invitations_status_is_known on parking.invitations is
  E'@field status\nstatus must be open, accepted or lapsed, and accepted where somebody accepted';
