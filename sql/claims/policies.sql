/* The claimer and the owner of the spot see a claim; only the claimer writes it. An administrator may cancel it. */
alter table parking.claims enable row level security;

drop policy if exists select_as_party_or_administrator on parking.claims;
create policy select_as_party_or_administrator on parking.claims
  for select to parking_api
  using (
    claimer_id = (select private.caller_id())
    or owner_id = (select private.caller_id())
    or (select private.is_administrator()) -- last: a party's rows do not ask
  );

drop policy if exists update_as_administrator on parking.claims;
create policy update_as_administrator on parking.claims
  for update to parking_api
  using ((select private.reason()) is not null);

drop policy if exists insert_own on parking.claims;
create policy insert_own on parking.claims
  for insert to parking_api
  with check (claimer_id = (select private.caller_id()));

grant select, delete on parking.claims to parking_api;
-- No insert of claimer_id and made_by: they are the caller, and who acts for the caller (private.act_for). No insert of status: a claim begins active.
grant insert (availability_id, spot_id, owner_id, start_time, end_time, guest, vehicle, series_id)
  on parking.claims to parking_api;
grant update (status, start_time, end_time, guest, vehicle) on parking.claims to parking_api;
