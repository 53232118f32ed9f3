/* People see and change their own devices, also before they are approved: the message about it is one. */
alter table parking.push_subscriptions enable row level security;

drop policy if exists select_own on parking.push_subscriptions;
create policy select_own on parking.push_subscriptions
  for select to parking_api
  using (person_id = (select private.caller_id()));

drop policy if exists insert_own on parking.push_subscriptions;
create policy insert_own on parking.push_subscriptions
  for insert to parking_api
  with check (person_id = (select private.caller_id()));

drop policy if exists delete_own on parking.push_subscriptions;
create policy delete_own on parking.push_subscriptions
  for delete to parking_api
  using (person_id = (select private.caller_id()));

-- No select of the keys: private.get_push alone reads them.
grant select (id, person_id, endpoint, created_at), delete on parking.push_subscriptions to parking_api;
-- No update: a browser makes another one instead.
grant insert (person_id, endpoint, p256dh, auth) on parking.push_subscriptions to parking_api;
