-- One-off DDL goes here. npm run db:commit adds the changed files of sql/.

-- They have more arguments now.
drop function if exists api.create_claim(uuid, timestamptz, timestamptz);
drop function if exists api.update_claim(uuid, text, timestamptz, timestamptz);
drop function if exists api.create_profile(text, text, text, boolean);
drop function if exists api.update_profile(text, text, text, boolean);
