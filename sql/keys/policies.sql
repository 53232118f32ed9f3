/* Only administrators see, make and delete keys: administrator_required. */
alter table parking.keys enable row level security;

drop policy if exists all_of_administrators on parking.keys;
create policy all_of_administrators on parking.keys
  to parking_api
  using (true)
  with check (true);

-- No select of secret_hash: private.identify_key compares it.
grant select (id, name, scopes, expires_at, maker_id, last_used_at, created_at), delete
  on parking.keys to parking_api;
-- No insert of maker_id: it is the caller by default. No update: what a machine may does not change.
grant insert (name, scopes, expires_at, secret_hash) on parking.keys to parking_api;
