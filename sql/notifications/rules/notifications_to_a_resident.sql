alter table parking.notifications
  drop constraint if exists notifications_to_a_resident,
  add constraint notifications_to_a_resident
    foreign key (recipient_id)
    references parking.profiles (id)
    on delete cascade;

comment on constraint notifications_to_a_resident on parking.notifications is
  E'@status 404\nUser profile not found';
