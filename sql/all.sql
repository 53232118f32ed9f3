/*
 * The database in the order in which it is made. Every file can be run again.
 *
 * In each folder, tables are made first, then functions, then views, then rules, policies and triggers; each by
 * name. A file stands here by itself where its folder's turn is too late for what needs it.
 */
--!include schemas.sql
--!include support/
--!include turns/
--!include totals/table.sql

-- A body that is one expression, and a policy, need the functions that they call.
--!include identity/token.sql
--!include users/
--!include profiles/table.sql
--!include identity/
--!include events/table.sql
--!include last_position/table.sql
--!include invitations/
--!include building/table.sql
--!include limits/table.sql
--!include building/view.sql
--!include building/
--!include spots/
--!include spot_access/
--!include limits/view.sql
--!include limits/
--!include patterns/table.sql
--!include availabilities/table.sql
--!include claims/
--!include exceptions/table.sql
--!include free_time/

--!include contacts/view.sql
--!include notifications/
--!include jobs/
--!include wishes/
--!include spot_reports/
--!include webhooks/table.sql
--!include keys/
--!include deliveries/view.sql

-- All that is not named here, in any order.
--!include ./

-- Reads everything that is about persons.
--!include export/exports.sql
--!include export/

-- The rules of the building come last, because they may need everything above.
--!include house/
