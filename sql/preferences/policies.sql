/* People see and change their own preferences, also before they are approved: the mail about it is one. */
alter table parking.preferences enable row level security;

drop policy if exists select_own on parking.preferences;
create policy select_own on parking.preferences
  for select to parking_api
  using (person_id = (select private.caller_id()));

drop policy if exists insert_own on parking.preferences;
create policy insert_own on parking.preferences
  for insert to parking_api
  with check (person_id = (select private.caller_id()));

drop policy if exists update_own on parking.preferences;
create policy update_own on parking.preferences
  for update to parking_api
  using (person_id = (select private.caller_id()));

grant select on parking.preferences to parking_api;
-- No insert of person_id: it is the caller by default. No delete: null is as good.
grant insert (mail, push, language, remind_minutes) on parking.preferences to parking_api;
grant update (mail, push, language, remind_minutes) on parking.preferences to parking_api;
