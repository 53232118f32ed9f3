-- One-off DDL goes here. npm run db:commit adds the changed files of sql/.
drop function api.create_claim(uuid, timestamptz, timestamptz, text, text);
drop function api.update_profile_flags(uuid, boolean, boolean, text, boolean);
drop policy select_as_party_or_administrator on parking.spot_reports;
drop policy update_as_administrator on parking.spot_reports;
drop trigger z_check_administrator on parking.spot_reports;
-- What reports are made of, they alone call.
drop function private.wished_hours(timestamptz, timestamptz, text);
revoke execute on function private.claimed_spans, private.hour_use, private.offered_spans, private.report_start,
  private.report_steps, private.section_use from parking_api;
-- Made by 000003 only: to be left out where that is made anew.
drop function if exists private.use_by_hour(date, date, text);
drop function if exists private.use_by_section(date, date, text, text);
drop function if exists private.windows_never_claimed(date, date, text);
drop function if exists private.spots_never_offered(date, date, text);
drop function if exists private.unmet_wishes(date, date, text);
drop function if exists private.gate(text, timestamptz);
drop function if exists private.gate_today();
drop function if exists private.note_passage(text, text, timestamptz);
--!include limits/columns_of_views.sql
