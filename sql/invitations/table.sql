create or replace function private.spot_keys(spots jsonb)
  returns text[]
  language plpgsql
  immutable
  parallel safe
  set search_path = ''
as $$
begin
  return array(
    select private.number_key(s.spot_number)
      from json_table(spot_keys.spots, '$[*]' columns (spot_number text)) s
     where s.spot_number is not null
  );
end;
$$;

comment on function private.spot_keys is
  'What the numbers of invited spots are compared by.';
grant execute on function private.spot_keys to parking_api;

create table if not exists parking.invitations (
  id uuid default uuidv7(),
  email text not null,
  address text not null generated always as (private.address_key(email)) stored,
  full_name text,
  apartment_number text not null,
  spots jsonb not null default '[]',
  spot_keys text[] not null generated always as (private.spot_keys(spots)) stored,
  status text not null default 'open',
  inviter_id uuid not null default private.caller_id(),
  profile_id uuid,
  accepted_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint invitations_pkey primary key (id)
);

comment on table parking.invitations is
  E'@absent Invitation not found\nA person whom an administrator expects: who registers with this confirmed address is approved at once, and their spots are registered and verified.';
comment on column parking.invitations.id is
  'Identifies the invitation.';
comment on column parking.invitations.email is
  'The address. It counts only where the identity provider confirmed it.';
comment on column parking.invitations.address is
  'What the address is compared by.';
comment on column parking.invitations.full_name is
  'The name on the administrator''s list. The profile has the name that the person gives.';
comment on column parking.invitations.apartment_number is
  'The apartment on the administrator''s list. The profile has the one that the person gives.';
comment on column parking.invitations.spots is
  'The spots that are registered for the person. Of an accepted invitation, each has the spot_id that it got, or refused_by: the rule that refused it.';
comment on column parking.invitations.spot_keys is
  'What the numbers of the spots are compared by.';
comment on column parking.invitations.status is
  'open; accepted, once the person was approved; lapsed, when the administrator who invited is one no longer.';
comment on column parking.invitations.inviter_id is
  'The administrator who invited. The approval of the person is their act.';
comment on column parking.invitations.profile_id is
  'Who accepted it.';
comment on column parking.invitations.accepted_at is
  'When it was accepted.';
comment on column parking.invitations.created_at is
  'When it was made.';
comment on column parking.invitations.updated_at is
  'When the row last changed.';

create index if not exists invitations_created_at_id_idx
  on parking.invitations (created_at desc, id);
create index if not exists invitations_inviter_id_idx
  on parking.invitations (inviter_id);
create index if not exists invitations_profile_id_idx
  on parking.invitations (profile_id);
create index if not exists invitations_spot_keys_idx
  on parking.invitations using gin (spot_keys)
  with (fastupdate = off)
  where status = 'open';

create or replace trigger touch
  before update on parking.invitations
  for each row
  execute function private.touch();

/* Only administrators see, make and delete invitations. Nobody changes one. */
alter table parking.invitations enable row level security;

drop policy if exists all_of_administrators on parking.invitations;
create policy all_of_administrators on parking.invitations
  to parking_api
  using (true)
  with check (inviter_id = (select private.caller_id()));

grant select, delete on parking.invitations to parking_api;
-- No insert of inviter_id: it is the caller by default. No insert of status: an invitation begins open.
grant insert (email, full_name, apartment_number, spots) on parking.invitations to parking_api;
