/* Approved residents see every spot and write their own; administrators verify. */
alter table parking.spots enable row level security;

drop policy if exists approved_account_required on parking.spots;
create policy approved_account_required on parking.spots
  as restrictive to parking_api
  using ((select private.is_approved()));
comment on policy approved_account_required on parking.spots is
  'Account not approved';

drop policy if exists select_all on parking.spots;
create policy select_all on parking.spots
  for select to parking_api
  using (true);

drop policy if exists insert_own on parking.spots;
create policy insert_own on parking.spots
  for insert to parking_api
  with check (owner_id = (select private.caller_id()));

drop policy if exists update_own on parking.spots;
create policy update_own on parking.spots
  for update to parking_api
  using (owner_id = (select private.caller_id()));

drop policy if exists update_as_administrator on parking.spots;
create policy update_as_administrator on parking.spots
  for update to parking_api
  using ((select private.is_administrator()));

drop policy if exists spots_deleted_by_owner on parking.spots;
create policy spots_deleted_by_owner on parking.spots
  for delete to parking_api
  using (owner_id = (select private.caller_id()));
comment on policy spots_deleted_by_owner on parking.spots is
  'You can only delete your own parking spots';

grant select, delete on parking.spots to parking_api;
-- No insert of owner_id: it is the caller by default. No update of it: spots do not change hands.
grant insert (spot_number, building_section) on parking.spots to parking_api;
grant update (spot_number, building_section, is_verified) on parking.spots to parking_api;
