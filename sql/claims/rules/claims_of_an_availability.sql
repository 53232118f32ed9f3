alter table parking.claims
  drop constraint if exists claims_of_an_availability,
  add constraint claims_of_an_availability
    foreign key (holds, spot_id, owner_id)
    references parking.availabilities (id, spot_id, owner_id)
    on delete cascade;

comment on constraint claims_of_an_availability on parking.claims is
  E'@status 404\n@de Der Stellplatz ist zu dieser Zeit nicht mehr geteilt.\nAvailability not found';
