-- The change in hand: --!include the changed files of sql/, and write one-off DDL here.
--!include rate_limits/charge_rate_limits.sql
--!include rate_limits/charge_rate_limit.sql

drop function if exists private.erase_from_texts(uuid, text);
drop function if exists private.pattern_of_names(uuid);
--!include profiles/is_of_script_without_spaces.sql
--!include profiles/names_of.sql
--!include profiles/without_names.sql
--!include profiles/erase_from_texts.sql
--!include profiles/erase_person.sql
--!include locks/lock_windows.sql
--!include reporting/people.sql
