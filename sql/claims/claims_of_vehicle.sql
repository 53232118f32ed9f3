/* For the list of claims: under row-level security no index finds what a function makes of a column. */
create or replace function private.claims_of_vehicle(vehicle text)
  returns uuid[]
  language sql
  stable
  security definer -- reads past the policies what they show: own claims, those on own spots, all for administrators
  set search_path = ''
return array(
  select c.id
    from parking.claims c
   where c.vehicle is not null
     and private.plate(c.vehicle) = private.plate(claims_of_vehicle.vehicle)
     and (select private.is_approved())
     and (
       c.claimer_id = (select private.caller_id())
       or c.owner_id = (select private.caller_id())
       or (select private.is_administrator())
     )
);

comment on function private.claims_of_vehicle is
  'The claims for a vehicle that the caller sees, however its plate is written.';
grant execute on function private.claims_of_vehicle to parking_api;
