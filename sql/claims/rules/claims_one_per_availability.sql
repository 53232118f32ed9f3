create unique index if not exists claims_one_per_availability
  on parking.claims (availability_id)
  where status <> 'cancelled';

comment on index parking.claims_one_per_availability is
  E'@status 400\nThis availability has already been claimed';
