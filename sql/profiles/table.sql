create table if not exists parking.profiles (
  id uuid,
  email text not null,
  full_name text,
  apartment_number text not null,
  phone_number text,
  shares_phone_number boolean not null default false,
  is_approved boolean not null default false,
  is_admin boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint profiles_one_per_user primary key (id)
);

alter table parking.profiles
  add column if not exists vehicle text,
  add column if not exists is_approved_by_groups boolean not null default false,
  add column if not exists is_admin_by_groups boolean not null default false,
  add column if not exists is_suspended boolean not null default false,
  add column if not exists rejection_reason text,
  add column if not exists is_concierge boolean not null default false,
  add column if not exists is_concierge_by_groups boolean not null default false;

comment on table parking.profiles is
  E'@absent User profile not found\nA resident''s account in the building.';
comment on column parking.profiles.id is
  'The id of the user at the identity provider.';
comment on column parking.profiles.email is
  'Follows the identity provider; cannot be edited here.';
comment on column parking.profiles.full_name is
  'The resident''s name.';
comment on column parking.profiles.apartment_number is
  'The resident''s apartment.';
comment on column parking.profiles.phone_number is
  'Digits, spaces and +().-/';
comment on column parking.profiles.shares_phone_number is
  'Whether those with whom the resident shares a claim may see the phone number.';
comment on column parking.profiles.vehicle is
  'The plate of the vehicle that the resident usually comes with.';
comment on column parking.profiles.is_approved is
  'Whether the account is approved, by an administrator or by the groups of the identity provider; until then the resident sees only their own profile.';
comment on column parking.profiles.is_admin is
  'Whether the account has administrator privileges; they apply only while it is approved.';
comment on column parking.profiles.is_approved_by_groups is
  'Whether the groups of the identity provider decided is_approved when the person last came.';
comment on column parking.profiles.is_admin_by_groups is
  'Whether the groups of the identity provider decided is_admin when the person last came.';
comment on column parking.profiles.is_concierge is
  'Whether the person is a concierge, who sees who may park, deals with reports and claims for residents; only while the account is approved.';
comment on column parking.profiles.is_concierge_by_groups is
  'Whether the groups of the identity provider decided is_concierge when the person last came.';
comment on column parking.profiles.rejection_reason is
  'Why an administrator did not approve the account. Approval clears it, and so does the person by changing their details: they ask again.';
comment on column parking.profiles.is_suspended is
  'Whether the account was approved before, and the approval was taken back.';
comment on column parking.profiles.created_at is
  'When the account was registered.';
comment on column parking.profiles.updated_at is
  'When the row last changed.';

create index if not exists profiles_created_at_id_idx
  on parking.profiles (created_at desc, id);

-- The few who are not approved: each read of windows asks who of them has spots.
create index if not exists profiles_not_approved_idx
  on parking.profiles (id)
  where not is_approved;

-- For the gate. Few people say which vehicle is theirs.
create index if not exists profiles_plate_idx
  on parking.profiles (private.plate(vehicle))
  where vehicle is not null;

create or replace trigger touch
  before update on parking.profiles
  for each row
  when (old.* is distinct from new.*)
  execute function private.touch();
