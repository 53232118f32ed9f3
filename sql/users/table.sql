/* Sign-in data from the identity provider, stored because only the person's own token carries it. */
create table if not exists private.users (
  id uuid,
  email text constraint users_email_is_given not null,
  email_confirmed_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  erased_at timestamptz(3),
  constraint users_pkey primary key (id),
  constraint users_id_email_key unique (id, email)
);

alter table private.users
  add column if not exists token_issued_at timestamptz(3),
  add column if not exists subject text,
  drop constraint if exists users_subject_key,
  add constraint users_subject_key unique (subject);

alter table private.users enable row level security;
-- No policy and no grant: the API role reaches users through private.remember_user only.

comment on table private.users is
  'What the identity provider''s tokens say of a person, one row per registered person.';
comment on column private.users.id is
  'The subject of the token.';
comment on column private.users.email is
  'The address in the latest token that had one.';
comment on column private.users.email_confirmed_at is
  'When the provider confirmed the address; without that claim, when a token first had email_verified.';
comment on column private.users.created_at is
  'When the user was first seen.';
comment on column private.users.updated_at is
  'When the row last changed.';
comment on column private.users.erased_at is
  'When the personal data was erased. From then on tokens no longer refresh it.';

comment on column private.users.token_issued_at is
  'When the latest token was issued (iat) that was heard. What an older one says overwrites nothing.';

comment on column private.users.subject is
  'The sub of the person''s tokens, where it is not the id: the building moved from one identity provider to another (npm run identity).';

create index if not exists users_confirmed_address_idx
  on private.users (private.address_key(email))
  where email_confirmed_at is not null;

create or replace trigger touch
  before update on private.users
  for each row
  -- A new token_issued_at changes nothing that the person sees.
  when (
    (old.email, old.email_confirmed_at, old.erased_at)
      is distinct from (new.email, new.email_confirmed_at, new.erased_at)
  )
  execute function private.touch();
