/* Other residents do not see a claim, but the answer to a change of it is 403 and not 404. */
create or replace function private.claim_exists(id uuid)
  returns boolean
  language sql
  stable
  security definer -- reads past the policies, and returns only whether the row exists
  set search_path = ''
return exists (
  select from parking.claims c
   where c.id = claim_exists.id
     and (select private.is_approved())
);

comment on function private.claim_exists is
  'Whether there is a claim with this id, visible to the caller or not. False where the caller is not approved.';
grant execute on function private.claim_exists to parking_api;
