create table if not exists private.idempotency_keys (
  person_id uuid,
  key text,
  fingerprint text not null,
  body text not null,
  location_id uuid,
  expires_at timestamptz(3) not null default now() + interval '24 hours',
  constraint idempotency_key_in_use primary key (person_id, key)
);

create index if not exists idempotency_keys_expires_at_idx
  on private.idempotency_keys (expires_at);

comment on table private.idempotency_keys is
  'What a POST with an Idempotency-Key answered, written in the transaction of its effect. Only successes: a failure had no effect.';
comment on column private.idempotency_keys.person_id is
  'Who sent the request. Another person''s key is another key.';
comment on column private.idempotency_keys.key is
  'The key, which the client chose.';
comment on column private.idempotency_keys.fingerprint is
  'A hash of the endpoint and the arguments: the same key with other arguments is a mistake of the client.';
comment on column private.idempotency_keys.body is
  'The body of the answer.';
comment on column private.idempotency_keys.location_id is
  'The id in the Location of the answer.';
comment on column private.idempotency_keys.expires_at is
  'From when on the key counts as unused. The row stays until its key is used again, or another answer is kept.';
comment on index private.idempotency_keys_expires_at_idx is
  'Finds answers that expired, to delete them.';

alter table private.idempotency_keys enable row level security;
-- No policy and no grant: the API role reaches its callers' own answers through two functions only.
