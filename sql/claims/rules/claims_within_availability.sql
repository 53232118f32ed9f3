alter table parking.claims
  drop constraint if exists claims_within_availability,
  add constraint claims_within_availability
    foreign key (availability_id, period held)
    references parking.availabilities (id, period during);

comment on constraint claims_within_availability on parking.claims is
  E'@status 400\n@de Der Stellplatz ist nicht die ganze Zeit geteilt.\nClaim times must be within the availability window';
