/*
 * Somebody who inserts two rows that a rule counts at one moment: the second waits for the first, and counts
 * its row. Nobody else locks these rows. Two residents who claim each other's spots lock each other's profiles
 * (enforce_approved_owner), so the lock of a profile would make them wait for each other.
 */
create table if not exists private.turns (
  key bigint,
  constraint turns_pkey primary key (key)
);

comment on table private.turns is
  'A row for each rule and each person whose rows it has counted, to be locked.';
comment on column private.turns.key is
  'A hash of the name of the rule and the id of the person, as private.take_turn makes it.';

alter table private.turns enable row level security;
-- No policy and no grant: only trigger functions write it.
