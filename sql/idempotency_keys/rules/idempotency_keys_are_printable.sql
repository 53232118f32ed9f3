alter table private.idempotency_keys
  drop constraint if exists idempotency_keys_are_printable,
  add constraint idempotency_keys_are_printable
    check (key collate "C" ~ '^[ -~]{1,255}$');

comment on constraint idempotency_keys_are_printable on private.idempotency_keys is
  'Idempotency-Key must be 1 to 255 printable ASCII characters';
