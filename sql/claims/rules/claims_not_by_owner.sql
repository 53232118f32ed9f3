-- PostgreSQL runs checks in the order of their names: the owner is checked before the times.
alter table parking.claims
  drop constraint if exists claims_not_by_owner,
  add constraint claims_not_by_owner
    check (claimer_id <> owner_id);

comment on constraint claims_not_by_owner on parking.claims is
  E'@status 403\n@de Das ist Ihr eigener Stellplatz, dafür brauchen Sie keine Reservierung.\nYou cannot claim your own parking spot';
