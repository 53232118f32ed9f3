/* Two administrators who remove each other run one after the other, before either locks a profile. */
-- A row that nobody else can lock. Any session could take an advisory lock, and stop administrators.
create table if not exists private.administrators_lock (
  only_row boolean default true,
  constraint administrators_lock_pkey primary key (only_row)
);

insert into private.administrators_lock default values on conflict do nothing;

comment on table private.administrators_lock is
  'One row, which private.lock_administrators locks.';
comment on column private.administrators_lock.only_row is
  'Always true.';

alter table private.administrators_lock enable row level security;
-- No policy and no grant: only the trigger function reads it.

create or replace function private.lock_administrators()
  returns trigger
  language plpgsql
  security definer -- the API role has no access to the row
  set search_path = ''
as $$
begin
  -- Written, not only locked: a snapshot from before, which If-Match takes, then fails and is taken anew.
  update private.administrators_lock set only_row = true;
  return null;
end;
$$;

comment on function private.lock_administrators is
  'Trigger function: makes statements that may remove an administrator, that invite, and that may accept an invitation run one after the other.';

create or replace trigger lock_administrators
  before delete or update of is_approved, is_admin, is_suspended, rejection_reason
  on parking.profiles
  for each statement
  execute function private.lock_administrators();

-- An invitation and a registration at the same moment would miss each other, and the person who is expected
-- would wait for approval. The same holds for two invitations.
create or replace trigger meet_newcomers
  before insert on parking.invitations
  for each statement
  execute function private.lock_administrators();

create or replace trigger meet_invitations
  before insert on parking.profiles
  for each statement
  execute function private.lock_administrators();

create or replace trigger meet_invitations
  before update of email, email_confirmed_at on private.users
  for each statement
  execute function private.lock_administrators();
