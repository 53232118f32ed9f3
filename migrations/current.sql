-- One-off DDL goes here. npm run db:commit adds the changed files of sql/.
-- sql/claims/table.sql makes it anew, with the end of the claim.
drop index if exists parking.claims_plate_idx;
-- The view has the comments of the table.
--!include building/table.sql
--!include building/view.sql
--!include limits/columns_of_views.sql
