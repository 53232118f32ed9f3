alter table parking.push_subscriptions
  drop constraint if exists push_subscriptions_of_a_resident,
  add constraint push_subscriptions_of_a_resident
    foreign key (person_id)
    references parking.profiles (id)
    on delete cascade;

comment on constraint push_subscriptions_of_a_resident on parking.push_subscriptions is
  E'@status 404\n@de Dieses Profil gibt es nicht mehr.\nUser profile not found';
