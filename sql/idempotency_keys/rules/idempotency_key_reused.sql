-- An answer that is kept stays what it is; private.take_idempotency_key refuses under the same name.
create or replace trigger idempotency_key_reused
  before update on private.idempotency_keys
  for each row
  when (old.fingerprint <> new.fingerprint)
  execute function private.enforce_rule();

comment on trigger idempotency_key_reused on private.idempotency_keys is
  E'@status 422\n@de Das wurde schon mit etwas anderem gesendet. Versuchen Sie es noch einmal.\nThis Idempotency-Key was used for another request';
