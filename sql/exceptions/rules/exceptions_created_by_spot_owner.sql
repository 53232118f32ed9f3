-- Restrictive, because PostgreSQL names only restrictive policies in its error, and the name gives the message.
drop policy if exists exceptions_created_by_spot_owner on parking.exceptions;
create policy exceptions_created_by_spot_owner on parking.exceptions
  as restrictive
  for insert to parking_api
  with check (owner_id = (select private.caller_id()));

comment on policy exceptions_created_by_spot_owner on parking.exceptions is
  E'@de Das geht nur für Ihre eigenen Stellplätze.\nYou can only make exceptions for your own spots';
