/* Nobody deletes a profile: spots and claims refer to it. */
alter table parking.profiles enable row level security;

drop policy if exists select_own_or_as_administrator on parking.profiles;
create policy select_own_or_as_administrator on parking.profiles
  for select to parking_api
  using (
    id = (select private.caller_id())
    or (select private.is_administrator()) -- last: one's own row does not ask
  );

drop policy if exists insert_own on parking.profiles;
create policy insert_own on parking.profiles
  for insert to parking_api
  with check (id = (select private.caller_id()));

drop policy if exists update_own on parking.profiles;
create policy update_own on parking.profiles
  for update to parking_api
  using (id = (select private.caller_id()));

drop policy if exists update_as_administrator on parking.profiles;
create policy update_as_administrator on parking.profiles
  for update to parking_api
  using ((select private.is_administrator()));

grant select on parking.profiles to parking_api;
grant insert (id, email, full_name, apartment_number, phone_number, shares_phone_number, vehicle)
  on parking.profiles to parking_api;
-- No update of email: it follows private.users through the foreign key.
grant update (
    full_name, apartment_number, phone_number, shares_phone_number, vehicle,
    is_approved, is_admin, is_concierge, is_suspended, rejection_reason
  )
  on parking.profiles to parking_api;
