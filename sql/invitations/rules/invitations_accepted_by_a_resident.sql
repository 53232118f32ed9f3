alter table parking.invitations
  drop constraint if exists invitations_accepted_by_a_resident,
  add constraint invitations_accepted_by_a_resident
    foreign key (profile_id)
    references parking.profiles (id);

comment on constraint invitations_accepted_by_a_resident on parking.invitations is
  E'@status 403\nWho accepts an invitation must have registered';
