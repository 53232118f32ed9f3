/* Approved residents see every window and write those of their own spots. */
alter table parking.availabilities enable row level security;

drop policy if exists approved_account_required on parking.availabilities;
create policy approved_account_required on parking.availabilities
  as restrictive to parking_api
  using ((select private.is_approved()));
comment on policy approved_account_required on parking.availabilities is
  'Account not approved';

drop policy if exists select_all on parking.availabilities;
create policy select_all on parking.availabilities
  for select to parking_api
  using (true);

drop policy if exists insert_any on parking.availabilities;
create policy insert_any on parking.availabilities
  for insert to parking_api
  with check (true);

-- Restrictive, because only such a policy gives its name, and so its message, to the refusal.
drop policy if exists availabilities_created_by_spot_owner on parking.availabilities;
create policy availabilities_created_by_spot_owner on parking.availabilities
  as restrictive
  for insert to parking_api
  with check (owner_id = (select private.caller_id()));
comment on policy availabilities_created_by_spot_owner on parking.availabilities is
  'You can only create availabilities for your own spots';

drop policy if exists availabilities_updated_by_spot_owner on parking.availabilities;
create policy availabilities_updated_by_spot_owner on parking.availabilities
  for update to parking_api
  using (owner_id = (select private.caller_id()));
comment on policy availabilities_updated_by_spot_owner on parking.availabilities is
  'You can only update availabilities for your own spots';

drop policy if exists availabilities_deleted_by_spot_owner on parking.availabilities;
create policy availabilities_deleted_by_spot_owner on parking.availabilities
  for delete to parking_api
  using (owner_id = (select private.caller_id()));
comment on policy availabilities_deleted_by_spot_owner on parking.availabilities is
  'You can only delete availabilities for your own spots';

grant select, delete on parking.availabilities to parking_api;
grant insert (spot_id, owner_id, start_time, end_time) on parking.availabilities to parking_api;
-- No update of is_claimed: only claims change it. None of spot_id: a window stays with its spot.
grant update (start_time, end_time) on parking.availabilities to parking_api;
