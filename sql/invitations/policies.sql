/* Only administrators see, make and delete invitations. Nobody changes one. */
alter table parking.invitations enable row level security;

drop policy if exists select_all on parking.invitations;
create policy select_all on parking.invitations
  for select to parking_api
  using (true);

drop policy if exists insert_own on parking.invitations;
create policy insert_own on parking.invitations
  for insert to parking_api
  with check (inviter_id = (select private.caller_id()));

drop policy if exists delete_all on parking.invitations;
create policy delete_all on parking.invitations
  for delete to parking_api
  using (true);

grant select, delete on parking.invitations to parking_api;
-- No insert of inviter_id: it is the caller by default. No insert of status: an invitation begins open.
grant insert (email, full_name, apartment_number, spots) on parking.invitations to parking_api;
