-- One-off DDL goes here. npm run db:commit adds the changed files of sql/.

-- An erasure finds notifications by their claim, also resolved ones: sql/notifications/table.sql makes it anew.
drop index if exists parking.notifications_claim_id_idx;
