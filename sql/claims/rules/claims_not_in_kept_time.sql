-- private.take_time takes nothing where the time is not on offer.
alter table parking.claims
  drop constraint if exists claims_not_in_kept_time,
  add constraint claims_not_in_kept_time
    check (held is null or takes is not null);

comment on constraint claims_not_in_kept_time on parking.claims is
  E'@status 409\n@de Der Stellplatz ist zu dieser Zeit nicht mehr geteilt.\nThe owner does not offer this time any more';
