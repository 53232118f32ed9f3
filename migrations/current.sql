-- The change in hand: --!include the changed files of sql/, and write one-off DDL here.
drop function if exists private.limit_report;
