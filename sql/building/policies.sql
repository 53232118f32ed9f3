/* Approved residents read the building; administrators change it. */
alter table parking.building enable row level security;

drop policy if exists select_all on parking.building;
create policy select_all on parking.building
  for select to parking_api
  using (true);

drop policy if exists update_as_administrator on parking.building;
create policy update_as_administrator on parking.building
  for update to parking_api
  using ((select private.is_administrator()));

grant select on parking.building to parking_api;
-- No insert and no delete: there is one building.
