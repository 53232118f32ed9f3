-- The change in hand: --!include the changed files of sql/, and write one-off DDL here.

-- A claim that was completed before its end still holds its window: it counts, and can be freed.
drop trigger if exists claims_no_more_active_than_allowed on parking.claims;
drop function if exists private.enforce_most_active_claims;
--!include claims/enforce_most_claims.sql
--!include claims/rules/claims_no_more_than_allowed.sql
--!include claims/rules/claims_closed_stay_closed.sql
--!include claims/cancel_claim.sql
--!include building/table.sql
