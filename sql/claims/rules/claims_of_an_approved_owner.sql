drop policy if exists claims_of_an_approved_owner on parking.claims;
create policy claims_of_an_approved_owner on parking.claims
  as restrictive
  for insert to parking_api
  with check (owner_id <> all ((select private.suspended_owners())::uuid[]));

comment on policy claims_of_an_approved_owner on parking.claims is
  'The owner of this parking spot is not approved';
