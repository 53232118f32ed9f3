-- One-off DDL goes here. npm run db:commit adds the changed files of sql/.
drop trigger meet_newcomers on parking.invitations;
drop function private.meet_newcomers();

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

-- The limits of the building become the row without a section.
drop function api.get_building();
drop trigger record_limits on parking.section_limits;
alter table parking.section_limits rename to limits;
alter table parking.limits
  drop constraint section_limits_pkey,
  drop constraint section_limits_are_in_range,
  drop constraint section_limits_building_section_is_one_line,
  drop constraint section_limits_shortest_claim_within_longest,
  alter column building_section drop not null,
  add constraint limits_building_section_key unique nulls not distinct (building_section);
alter table parking.limits rename constraint section_limits_created_at_not_null to limits_created_at_not_null;
alter table parking.limits rename constraint section_limits_updated_at_not_null to limits_updated_at_not_null;
insert into parking.limits (
  longest_window_days, horizon_days, shortest_claim_minutes, longest_claim_minutes,
  claim_notice_minutes, cancellation_cutoff_minutes, most_active_claims
)
select b.longest_window_days, b.horizon_days, b.shortest_claim_minutes, b.longest_claim_minutes,
       b.claim_notice_minutes, b.cancellation_cutoff_minutes, b.most_active_claims
  from parking.building b;
drop function api.update_building;
alter table parking.building
  drop column longest_window_days,
  drop column horizon_days,
  drop column shortest_claim_minutes,
  drop column longest_claim_minutes,
  drop column claim_notice_minutes,
  drop column cancellation_cutoff_minutes,
  drop column most_active_claims;
