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
  perform from private.administrators_lock for update;
  return null;
end;
$$;

comment on function private.lock_administrators is
  'Trigger function: makes statements that may remove an administrator, or that only administrators make, run one after the other.';

create or replace trigger lock_administrators
  before delete or update of is_approved, is_admin, is_suspended, rejection_reason
  on parking.profiles
  for each statement
  execute function private.lock_administrators();
