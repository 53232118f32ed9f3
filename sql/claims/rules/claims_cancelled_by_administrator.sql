-- A policy lets an administrator who gives a reason update any claim, and a concierge acts for the claimer. This
-- refuses other changes.
drop policy if exists claims_cancelled_by_administrator on parking.claims;
create policy claims_cancelled_by_administrator on parking.claims
  as restrictive
  for update to parking_api
  with check (
    status = 'cancelled'
    or claimer_id = (select private.caller_id()) and (select private.acting_id()) is null
  );

comment on policy claims_cancelled_by_administrator on parking.claims is
  E'@de Die Verwaltung kann eine fremde Reservierung nur stornieren.\nAn administrator can only cancel the claim of another';
