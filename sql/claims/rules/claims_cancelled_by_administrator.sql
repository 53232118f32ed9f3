-- A policy lets an administrator who gives a reason update any claim. This refuses other changes.
drop policy if exists claims_cancelled_by_administrator on parking.claims;
create policy claims_cancelled_by_administrator on parking.claims
  as restrictive
  for update to parking_api
  with check (claimer_id = (select private.caller_id()) or status = 'cancelled');

comment on policy claims_cancelled_by_administrator on parking.claims is
  E'@de Die Verwaltung kann eine fremde Reservierung nur stornieren.\nAn administrator can only cancel the claim of another';
