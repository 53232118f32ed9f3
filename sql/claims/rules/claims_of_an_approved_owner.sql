drop policy if exists claims_of_an_approved_owner on parking.claims;
create policy claims_of_an_approved_owner on parking.claims
  as restrictive
  for insert to parking_api
  -- Another rule refuses a claim without an owner.
  with check (coalesce(owner_id <> all ((select private.suspended_owners())::uuid[]), true));

comment on policy claims_of_an_approved_owner on parking.claims is
  'The owner of this parking spot is not approved';
