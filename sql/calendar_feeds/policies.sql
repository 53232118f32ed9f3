/* Approved residents have a feed of their own, and see no other. */
alter table parking.calendar_feeds enable row level security;

drop policy if exists select_own on parking.calendar_feeds;
create policy select_own on parking.calendar_feeds
  for select to parking_api
  using (person_id = (select private.caller_id()));

drop policy if exists insert_own on parking.calendar_feeds;
create policy insert_own on parking.calendar_feeds
  for insert to parking_api
  with check (person_id = (select private.caller_id()));

drop policy if exists update_own on parking.calendar_feeds;
create policy update_own on parking.calendar_feeds
  for update to parking_api
  using (person_id = (select private.caller_id()));

drop policy if exists delete_own on parking.calendar_feeds;
create policy delete_own on parking.calendar_feeds
  for delete to parking_api
  using (person_id = (select private.caller_id()));

-- No select of secret_hash: private.enter_calendar_feed compares it.
grant select (person_id, language, created_at), delete on parking.calendar_feeds to parking_api;
-- No insert of person_id: it is the caller by default. No update of it: feeds do not change hands.
grant insert (secret_hash, language) on parking.calendar_feeds to parking_api;
grant update (secret_hash, language) on parking.calendar_feeds to parking_api;
