/*
 * Approved residents see every spot and write their own; administrators verify and delete. Retired ones they
 * see too, for the claims and windows of the past name them; nobody changes these.
 */
alter table parking.spots enable row level security;

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
  using (owner_id = (select private.caller_id()) and retired_at is null);

drop policy if exists update_as_administrator on parking.spots;
create policy update_as_administrator on parking.spots
  for update to parking_api
  using ((select private.is_administrator()) and retired_at is null);

drop policy if exists delete_as_administrator on parking.spots;
create policy delete_as_administrator on parking.spots
  for delete to parking_api
  using ((select private.reason()) is not null and retired_at is null);

grant select, delete on parking.spots to parking_api;
-- No insert of owner_id: it is the caller by default. No update of it: spots do not change hands.
grant insert (spot_number, building_section, notes) on parking.spots to parking_api;
grant update (spot_number, building_section, is_verified, notes) on parking.spots to parking_api;
