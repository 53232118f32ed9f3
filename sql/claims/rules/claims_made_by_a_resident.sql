alter table parking.claims
  drop constraint if exists claims_made_by_a_resident,
  add constraint claims_made_by_a_resident
    foreign key (claimer_id)
    references parking.profiles (id);

comment on constraint claims_made_by_a_resident on parking.claims is
  E'@status 403\nThe claimer of a parking spot must be a resident';
