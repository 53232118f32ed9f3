-- Restrictive, because only such a policy gives its name, and so its message, to the refusal.
drop policy if exists availabilities_created_by_spot_owner on parking.availabilities;
create policy availabilities_created_by_spot_owner on parking.availabilities
  as restrictive
  for insert to parking_api
  with check (owner_id = (select private.caller_id()));

comment on policy availabilities_created_by_spot_owner on parking.availabilities is
  'You can only create availabilities for your own spots';
