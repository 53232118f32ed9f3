/*
 * Changes of the address with which a person signs in by mail. A person changes their own with a code from both
 * mailboxes. Who lost the mailbox asks an administrator, who gives the account another address. It can be used a
 * day later, and only while nobody signs in with the old one: nobody becomes somebody else unnoticed.
 */
create table if not exists private.address_changes (
  id uuid default uuidv7(),
  account_id uuid not null,
  old_address text not null,
  new_address text not null,
  given_by uuid default private.caller_id(),
  reason text default private.reason(),
  starts_at timestamptz(3) not null default clock_timestamp(),
  ended_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  constraint address_changes_pkey primary key (id)
);

create index if not exists address_changes_account_id_idx on private.address_changes (account_id);

alter table private.address_changes enable row level security;
-- No policy and no grant: api.give_address, and the service, write it.

comment on table private.address_changes is
  'The addresses with which people signed in by mail before, and those that administrators gave them.';
comment on column private.address_changes.id is
  'Identifies the change.';
comment on column private.address_changes.account_id is
  'Whose address it is.';
comment on column private.address_changes.old_address is
  'The address until then.';
comment on column private.address_changes.new_address is
  'The address from then on, in lower case.';
comment on column private.address_changes.given_by is
  'The administrator who gave it; null where the person changed it.';
comment on column private.address_changes.reason is
  'Why the administrator gave it.';
comment on column private.address_changes.starts_at is
  'From when on it can be used.';
comment on column private.address_changes.ended_at is
  'When the person signed in: with it, or with the old one, so that it is of no use; null before.';
comment on column private.address_changes.created_at is
  'When it was given.';
