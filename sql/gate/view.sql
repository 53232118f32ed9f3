/* The plates by which a person is known: the usual one, and those of claims that are no guest's. */
create or replace view private.vehicles
  with (security_invoker)
as
  select p.id as person_id, private.plate(p.vehicle) as plate
    from parking.profiles p
   where p.vehicle is not null
  union
  select c.claimer_id, private.plate(c.vehicle)
    from parking.claims c
   where c.vehicle is not null
     and c.guest is null;

comment on view private.vehicles is
  'The plates of each person''s own vehicles.';
comment on column private.vehicles.person_id is
  'The person.';
comment on column private.vehicles.plate is
  'The letters and digits of the plate.';
