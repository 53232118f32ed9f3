/* The key itself is part of the table. private.take_idempotency_key refuses sooner, without waiting. */
comment on constraint idempotency_key_in_use on private.idempotency_keys is
  E'@de Das geschieht gerade. Sehen Sie gleich noch einmal nach.\nA request with this Idempotency-Key is still running';
