alter table private.idempotency_keys
  drop constraint if exists idempotency_keys_answers_are_short,
  add constraint idempotency_keys_answers_are_short
    check (octet_length(body) <= 100000 and octet_length(fingerprint) <= 64);

comment on constraint idempotency_keys_answers_are_short on private.idempotency_keys is
  'An answer that is kept has at most 100 kB, and its fingerprint 64 bytes';
