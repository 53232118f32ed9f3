-- One-off DDL goes here. npm run db:commit adds the changed files of sql/.

-- The start of a service of 1.0.0 looked for them; it is stopped before this migration.
drop function api.create_profile(text, text, text, boolean[]);
drop function api.update_profile(text, text, text, boolean[]);
drop function api.update_profile_flags(uuid, boolean, boolean[]);
drop function api.update_building(text, text, integer, integer, integer, integer, integer, integer, integer[]);
drop function private.charge_rate_limit;
drop function api.create_claim(uuid, timestamptz, timestamptz[]);
drop function api.update_claim(uuid, text, timestamptz, timestamptz[]);
drop function private.is_kept;

-- Their triggers are made again, with private.enforce_few.
drop function private.enforce_few_open cascade;
drop function private.enforce_few_exceptions cascade;
drop function private.enforce_few_patterns cascade;
drop function private.enforce_few_reports cascade;
drop function private.enforce_few_webhooks cascade;
