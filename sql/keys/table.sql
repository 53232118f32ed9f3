/* A machine, such as a barrier, has a key instead of an account. It may only what its scopes say. */
create table if not exists parking.keys (
  id uuid default uuidv7(),
  name text not null,
  scopes text[] not null,
  expires_at timestamptz(3) not null,
  maker_id uuid not null default private.caller_id(),
  secret_hash bytea not null,
  last_used_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  constraint keys_pkey primary key (id),
  constraint keys_secret_hash_key unique (secret_hash)
);

comment on table parking.keys is
  E'@absent Key not found\nA key with which a machine, such as a barrier, uses the API. It stays when its maker is no administrator any more.';
comment on column parking.keys.id is
  'Identifies the key.';
comment on column parking.keys.name is
  'What administrators call the machine.';
comment on column parking.keys.scopes is
  'What it may, and nothing else. gate: ask who may park, and note who passed; reports: read the reports; events: follow all that administrators see in GET /events.';
comment on column parking.keys.expires_at is
  'When it ends.';
comment on column parking.keys.maker_id is
  'The administrator who made it.';
comment on column parking.keys.secret_hash is
  'The SHA-256 of the secret. The secret itself is kept nowhere.';
comment on column parking.keys.last_used_at is
  'When it was last used, to ten minutes; null: not yet.';
comment on column parking.keys.created_at is
  'When it was made.';

create index if not exists keys_created_at_id_idx
  on parking.keys (created_at desc, id);
create index if not exists keys_maker_id_idx
  on parking.keys (maker_id);

/* Only administrators see, make and delete keys: administrator_required. */
alter table parking.keys enable row level security;

drop policy if exists all_of_administrators on parking.keys;
create policy all_of_administrators on parking.keys
  to parking_api
  using (true)
  with check (true);

-- No select of secret_hash: private.identify_key compares it.
grant select (id, name, scopes, expires_at, maker_id, last_used_at, created_at), delete
  on parking.keys to parking_api;
-- No insert of maker_id: it is the caller by default. No update: what a machine may does not change.
grant insert (name, scopes, expires_at, secret_hash) on parking.keys to parking_api;
