-- The times that two claims take of a window never overlap: the whole window, or only their own times where the rest stays on offer.
alter table parking.claims
  drop constraint if exists claims_one_per_availability,
  add constraint claims_one_per_availability
    exclude using gist (holds with =, takes with &&);

comment on constraint claims_one_per_availability on parking.claims is
  E'@status 400\n@de Jemand anderes hat schon reserviert.\nThis availability has already been claimed';
