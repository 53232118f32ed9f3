-- One-off DDL goes here. npm run db:commit adds the changed files of sql/.
drop function api.create_claim(uuid, timestamptz, timestamptz, text, text);
drop function api.update_profile_flags(uuid, boolean, boolean, text, boolean);
drop policy select_as_party_or_administrator on parking.spot_reports;
drop policy update_as_administrator on parking.spot_reports;
drop trigger z_check_administrator on parking.spot_reports;
