/* Approved residents see every window and write those of their own spots. */
alter table parking.availabilities enable row level security;

drop policy if exists select_all on parking.availabilities;
create policy select_all on parking.availabilities
  for select to parking_api
  using (true);

drop policy if exists insert_any on parking.availabilities;
create policy insert_any on parking.availabilities
  for insert to parking_api
  with check (true);

grant select, delete on parking.availabilities to parking_api;
grant insert (spot_id, owner_id, start_time, end_time) on parking.availabilities to parking_api;
-- No update of is_claimed: only claims change it. No update of spot_id: a window stays with its spot.
grant update (start_time, end_time) on parking.availabilities to parking_api;
