-- The change in hand: --!include the changed files of sql/, and write one-off DDL here.

--!include notifications/notify.sql
--!include availabilities/total_hidden_availabilities.sql
