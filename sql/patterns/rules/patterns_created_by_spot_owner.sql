-- Restrictive, because PostgreSQL names only restrictive policies in its error, and the name gives the message.
drop policy if exists patterns_created_by_spot_owner on parking.patterns;
create policy patterns_created_by_spot_owner on parking.patterns
  as restrictive
  for insert to parking_api
  with check (owner_id = (select private.caller_id()));

comment on policy patterns_created_by_spot_owner on parking.patterns is
  E'@de Sie können nur Ihre eigenen Stellplätze teilen.\nYou can only create patterns for your own spots';
