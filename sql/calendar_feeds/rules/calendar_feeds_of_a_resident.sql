alter table parking.calendar_feeds
  drop constraint if exists calendar_feeds_of_a_resident,
  add constraint calendar_feeds_of_a_resident
    foreign key (person_id)
    references parking.profiles (id)
    on delete cascade;

comment on constraint calendar_feeds_of_a_resident on parking.calendar_feeds is
  E'@status 404\nUser profile not found';
