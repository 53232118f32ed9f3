-- The number that the default rate limit lets a person send in an hour.
create or replace trigger idempotency_keys_few_per_person
  after insert on private.idempotency_keys
  for each row
  execute function private.enforce_few_per_person('1000');

comment on trigger idempotency_keys_few_per_person on private.idempotency_keys is
  E'@status 409\n@de Sie haben an einem Tag sehr viel getan. Versuchen Sie es in ein paar Stunden wieder.\nYou have used 1000 Idempotency-Keys within 24 hours; try again later, or without one';
