/*
 * The sign-in by mail (SIGN_IN=mail). Each secret of a browser is stored as a hash, so that a copy of these tables
 * lets nobody in.
 */
create table if not exists identity.accounts (
  id uuid default uuidv7(),
  address text not null,
  signed_in_at timestamptz(3),
  signed_out_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  constraint accounts_pkey primary key (id),
  constraint accounts_address_key unique (address),
  constraint accounts_address_is_lower_case
    check (char_length(address) <= 320 and address = lower(address))
);

create index if not exists accounts_signed_in_at_idx on identity.accounts (signed_in_at);

comment on table identity.accounts is
  'People who can sign in by mail. An account is made when a code from a mail is typed. It gives nothing in the building: administrators or invitations approve people. It goes with the sign-in of a person who never registers.';
comment on index identity.accounts_signed_in_at_idx is
  'Finds the accounts of people who never registered, to delete them.';
comment on column identity.accounts.id is
  'The sub of the person''s tokens.';
comment on column identity.accounts.address is
  'The confirmed address, in lower case.';
comment on column identity.accounts.signed_in_at is
  'When the person last signed in with a code or a passkey.';
comment on column identity.accounts.signed_out_at is
  'When the person last ended what was signed in elsewhere. A token from before changes no passkeys.';
comment on column identity.accounts.created_at is
  'When the first code was typed.';

create table if not exists identity.documents (
  model text,
  id_hash bytea,
  uid_hash bytea,
  account_id uuid,
  payload jsonb not null,
  signed_in_at timestamptz(3),
  expires_at timestamptz(3) not null,
  consumed_at timestamptz(3),
  constraint documents_pkey primary key (id_hash, model),
  constraint documents_model_is_known
    check (model in ('Interaction', 'Session', 'Grant', 'AuthorizationCode', 'RefreshToken')),
  constraint documents_account_id_fkey
    foreign key (account_id)
    references identity.accounts (id)
    on delete cascade
);

create index if not exists documents_uid_hash_idx
  on identity.documents (uid_hash) where uid_hash is not null;
create index if not exists documents_account_id_idx
  on identity.documents (account_id);
create index if not exists documents_expires_at_idx on identity.documents (expires_at);
create index if not exists documents_signed_in_at_idx
  on identity.documents (signed_in_at) where signed_in_at is not null;

comment on table identity.documents is
  'What the provider stores: sign-ins that have not ended (Interaction), sessions, grants, authorization codes and refresh tokens.';
comment on column identity.documents.model is
  'What it is, by the provider''s name.';
comment on column identity.documents.id_hash is
  'The SHA-256 of its id, which is the secret that the browser has.';
comment on column identity.documents.uid_hash is
  'Of a session: the SHA-256 of the name that tokens have for it.';
comment on column identity.documents.account_id is
  'The person whom it is about.';
comment on column identity.documents.payload is
  'Its content, without its id.';
comment on column identity.documents.signed_in_at is
  'When the person signed in. It ends as many days later as the building says (session_days).';
comment on column identity.documents.expires_at is
  'When it ends at the latest.';
comment on column identity.documents.consumed_at is
  'When it was used, of what can be used once.';
comment on index identity.documents_uid_hash_idx is
  'Finds the session of a token.';
comment on index identity.documents_account_id_idx is
  'Finds what ends with an account.';
comment on index identity.documents_expires_at_idx is
  'Finds what has ended, to delete it.';
comment on index identity.documents_signed_in_at_idx is
  'Finds what has ended by the building''s setting, to delete it.';

create table if not exists identity.codes (
  interaction_hash bytea,
  address text not null,
  new_address text,
  code_hash bytea not null,
  tries integer not null default 0,
  expires_at timestamptz(3) not null,
  constraint codes_pkey primary key (interaction_hash),
  constraint codes_address_is_lower_case
    check (char_length(address) <= 320 and address = lower(address)),
  constraint codes_new_address_is_lower_case
    check (char_length(new_address) <= 320 and new_address = lower(new_address))
);

create index if not exists codes_expires_at_idx on identity.codes (expires_at);

comment on table identity.codes is
  'The codes that were mailed and not yet used, one for each sign-in that has not ended, and for each change of an address.';
comment on column identity.codes.interaction_hash is
  'The SHA-256 of the id of the sign-in, or of the session that changes its address. Only one browser has the id, so the code is of use there only.';
comment on column identity.codes.address is
  'Where the mail went, in lower case.';
comment on column identity.codes.new_address is
  'Of a change: the address from then on, where the second mail went, in lower case.';
comment on column identity.codes.code_hash is
  'An HMAC of the code, or of both codes of a change, with a key that is not in the database.';
comment on column identity.codes.tries is
  'How many codes were typed. After five this one is of no use.';
comment on column identity.codes.expires_at is
  'When it ends: ten minutes after it was made.';
comment on index identity.codes_expires_at_idx is
  'Finds what has ended, to delete it.';

create table if not exists identity.keys (
  kid text,
  sealed bytea not null,
  created_at timestamptz(3) not null default now(),
  constraint keys_pkey primary key (kid),
  constraint keys_kid_is_short check (char_length(kid) <= 100)
);

comment on table identity.keys is
  'The keys that sign tokens, two at most. The newest one signs, the one before it still proves older tokens.';
comment on column identity.keys.kid is
  'Identifies the key in the header of a token.';
comment on column identity.keys.sealed is
  'The private key, and with it the public one, as a JWK, encrypted (AES-256-GCM) with IDENTITY_SECRET.';
comment on column identity.keys.created_at is
  'When it was made.';

create table if not exists identity.passkeys (
  id uuid default uuidv7(),
  account_id uuid not null,
  credential_id bytea not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  is_backed_up boolean not null,
  name text not null,
  last_used_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  constraint passkeys_pkey primary key (id),
  constraint passkeys_credential_id_key unique (credential_id),
  constraint passkeys_name_is_one_line check (private.is_one_line(name, 1, 60)),
  constraint passkeys_account_id_fkey
    foreign key (account_id)
    references identity.accounts (id)
    on delete cascade
);

create index if not exists passkeys_account_id_idx on identity.passkeys (account_id);

comment on table identity.passkeys is
  'Passkeys (WebAuthn), with which people sign in without a mail. The secret part never leaves the person''s device.';
comment on column identity.passkeys.id is
  'Identifies the passkey.';
comment on column identity.passkeys.account_id is
  'Whom it signs in.';
comment on column identity.passkeys.credential_id is
  'The name that the device gave it.';
comment on column identity.passkeys.public_key is
  'What proves its signatures (a COSE key).';
comment on column identity.passkeys.counter is
  'How many signatures the device had counted at the last one; 0 of a device that does not count. A lower one is of a copy.';
comment on column identity.passkeys.transports is
  'How a browser reaches the device, such as usb.';
comment on column identity.passkeys.is_backed_up is
  'Whether its owner''s other devices have it too.';
comment on column identity.passkeys.name is
  'What the person reads, such as the kind of the device.';
comment on column identity.passkeys.last_used_at is
  'When it last signed the person in.';
comment on column identity.passkeys.created_at is
  'When it was added.';
comment on index identity.passkeys_account_id_idx is
  'Finds the passkeys of a person.';

alter table identity.accounts enable row level security;
alter table identity.documents enable row level security;
alter table identity.codes enable row level security;
alter table identity.keys enable row level security;
alter table identity.passkeys enable row level security;
-- No policy and no grant: the service calls the functions of this schema, as nobody in particular.
