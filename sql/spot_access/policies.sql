/*
 * The owner and administrators read it here; the claimer reads it in parking.contacts, whose
 * conditions say for how long.
 */
alter table parking.spot_access enable row level security;

drop policy if exists select_own on parking.spot_access;
create policy select_own on parking.spot_access
  for select to parking_api
  using (owner_id = (select private.caller_id()));

drop policy if exists select_as_administrator on parking.spot_access;
create policy select_as_administrator on parking.spot_access
  for select to parking_api
  using ((select private.is_administrator()));

drop policy if exists insert_any on parking.spot_access;
create policy insert_any on parking.spot_access
  for insert to parking_api
  with check (true);

drop policy if exists update_own on parking.spot_access;
create policy update_own on parking.spot_access
  for update to parking_api
  using (owner_id = (select private.caller_id()));

grant select on parking.spot_access to parking_api;
grant insert (spot_id, owner_id, access_notes) on parking.spot_access to parking_api;
-- No update of spot_id and owner_id: spots do not change hands. No delete: null is as good.
grant update (access_notes) on parking.spot_access to parking_api;
