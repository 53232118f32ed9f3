-- Restrictive, because PostgreSQL names only restrictive policies in its error, and the name gives the message.
drop policy if exists spot_access_written_by_owner on parking.spot_access;
create policy spot_access_written_by_owner on parking.spot_access
  as restrictive
  for insert to parking_api
  with check (owner_id = (select private.caller_id()));

comment on policy spot_access_written_by_owner on parking.spot_access is
  E'@de Sie können nur zu Ihren eigenen Stellplätzen Hinweise schreiben.\nYou can only write the access notes of your own parking spots';
