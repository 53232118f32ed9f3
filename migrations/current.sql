-- One-off DDL goes here. npm run db:commit adds the changed files of sql/.

-- A suspension no longer ends a calendar feed: it rests, and the erasure deletes it.
drop trigger if exists end_calendar_feed on parking.profiles;
drop function if exists private.end_calendar_feed();

-- It returns one more column.
drop function if exists private.take_jobs(text, integer, interval);

--!include invitations/is_invited_email.sql
-- Nobody could accept them: no such address exists. The page offers to invite again.
update parking.invitations i
   set status = 'lapsed'
 where not private.is_invited_email(i.email, i.status);

-- The index has plates as they were compared before.
--!include support/plate.sql
reindex index parking.claims_plate_idx;

-- Numbers are unique among the spots that are in use. The file of the rule makes the index anew.
alter table parking.spots add column if not exists retired_at timestamptz(3);
drop index if exists parking.spots_spot_number_is_unique;
drop trigger if exists "A_delete_claims" on parking.spots;
drop function if exists private.delete_claims_of_spot();

-- Whoever was erased has moved out: their numbers are free for the next.
update parking.spots s
   set retired_at = now(),
       notes = null
  from private.users u
 where u.id = s.owner_id
   and u.erased_at is not null;

-- Who cancelled is kept with the claim, as far as the log still knows it.
alter table parking.claims add column if not exists cancelled_by uuid;
update parking.claims c
   set cancelled_by = e.actor_id
  from private.events e
 where e.subject_id = c.id
   and e.type = 'claim.cancelled'
   and c.status = 'cancelled'
   and e.actor_id is not null;

-- Nobody searches what others wrote (private.erase_person).
--!include profiles/names_of.sql
drop function if exists private.erase_from_texts(uuid, text[]);
drop function if exists private.without_names(text, text[]);
drop function if exists private.is_of_script_without_spaces(text);
drop function if exists private.erase_guests(uuid);
drop function if exists private.erase_notes(uuid);
drop function if exists private.renew_messages(uuid[]);
