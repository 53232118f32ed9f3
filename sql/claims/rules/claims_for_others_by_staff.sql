/* By the profile, not the token: the caller is the claimer. */
create or replace function private.is_acted_for()
  returns boolean
  language sql
  stable
  security definer -- the caller sees no profile but their own
  set search_path = ''
return exists (
  select from parking.profiles p
   where p.id = (select private.acting_id())
     and p.is_approved
     and (p.is_admin or p.is_concierge)
);

comment on function private.is_acted_for is
  'Whether an approved administrator or concierge acts for the caller.';
grant execute on function private.is_acted_for to parking_api;

drop policy if exists claims_for_others_by_staff on parking.claims;
create policy claims_for_others_by_staff on parking.claims
  as restrictive
  for insert to parking_api
  with check (made_by is null or (select private.is_acted_for()));

comment on policy claims_for_others_by_staff on parking.claims is
  E'@de Sie können nur für sich selbst reservieren.\nYou can only claim for yourself';
