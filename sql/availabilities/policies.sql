/* Approved residents see every window that they could claim or have claimed, and write those of their own spots. */
alter table parking.availabilities enable row level security;

drop policy if exists select_claimed_or_of_approved_owner on parking.availabilities;
create policy select_claimed_or_of_approved_owner on parking.availabilities
  for select to parking_api
  using (
    is_claimed
    or not is_hidden and owner_id <> all ((select private.suspended_owners())::uuid[])
    or owner_id = (select private.caller_id())
  );

drop policy if exists select_as_administrator on parking.availabilities;
create policy select_as_administrator on parking.availabilities
  for select to parking_api
  using ((select private.is_administrator()) and not is_hidden);

drop policy if exists delete_as_administrator on parking.availabilities;
create policy delete_as_administrator on parking.availabilities
  for delete to parking_api
  using ((select private.reason()) is not null);

drop policy if exists insert_any on parking.availabilities;
create policy insert_any on parking.availabilities
  for insert to parking_api
  with check (true);

grant select, delete on parking.availabilities to parking_api;
grant insert (spot_id, owner_id, start_time, end_time, pattern_id, source_id)
  on parking.availabilities to parking_api;
-- No update of what follows from claims and plans. No update of spot_id: a window stays with its spot.
grant update (start_time, end_time) on parking.availabilities to parking_api;
