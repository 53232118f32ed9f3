-- Restrictive, because PostgreSQL names only restrictive policies in its error, and the name gives the message.
drop policy if exists availabilities_created_by_spot_owner on parking.availabilities;
create policy availabilities_created_by_spot_owner on parking.availabilities
  as restrictive
  for insert to parking_api
  with check (owner_id = (select private.caller_id()));

comment on policy availabilities_created_by_spot_owner on parking.availabilities is
  E'@de Sie können nur Ihre eigenen Stellplätze teilen.\nYou can only create availabilities for your own spots';
