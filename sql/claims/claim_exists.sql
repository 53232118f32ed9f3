/* Strangers to a claim do not see it, yet are told 403 and not 404 when they try to change it. */
create or replace function private.claim_exists(id uuid)
  returns boolean
  language sql
  stable
  security definer -- sees past the policies, and tells no more than that the row is there
  set search_path = ''
return exists (select from parking.claims c where c.id = claim_exists.id);

comment on function private.claim_exists is
  'Whether there is a claim with this id, visible to the caller or not.';
grant execute on function private.claim_exists to parking_api;
