-- The change in hand: --!include the changed files of sql/, and write one-off DDL here.

-- A claim is counted with its window now.
drop trigger if exists keep_counts_of_claimed on parking.availabilities;
drop trigger if exists keep_counts_of_moved on parking.availabilities;
drop trigger if exists keep_counts_of_made on parking.claims;
drop trigger if exists keep_counts_of_changed on parking.claims;
drop trigger if exists keep_counts_of_deleted on parking.claims;
drop function if exists private.keep_claimed_counts();
drop function if exists private.keep_claim_counts();
drop function if exists private.drop_claim_counts();
drop function if exists private.add_day_counts(date, date, bigint, bigint, bigint, bigint, bigint);
--!include totals/add_day_counts.sql
--!include availabilities/keep_availability_counts.sql
--!include availabilities/drop_availability_counts.sql
--!include claims/mark_availability.sql
--!include claims/free_availabilities.sql
