alter table parking.invitations
  drop constraint if exists invitations_by_a_resident,
  add constraint invitations_by_a_resident
    foreign key (inviter_id)
    references parking.profiles (id);

comment on constraint invitations_by_a_resident on parking.invitations is
  E'@status 403\nWho invites must be a resident';
