--!include invitations/is_invited_email.sql
-- Nobody could accept them: no such address exists. The page offers to invite again.
update parking.invitations i
   set status = 'lapsed'
 where not private.is_invited_email(i.email, i.status);
-- The index has plates as they were compared before.
--!include support/plate.sql
reindex index parking.claims_plate_idx;
