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
grant update (
    name, time_zone,
    longest_window_days, horizon_days,
    shortest_claim_minutes, longest_claim_minutes, claim_notice_minutes,
    cancellation_cutoff_minutes, most_active_claims
  )
  on parking.building to parking_api;
