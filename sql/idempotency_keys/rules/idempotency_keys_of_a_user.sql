alter table private.idempotency_keys
  drop constraint if exists idempotency_keys_of_a_user,
  add constraint idempotency_keys_of_a_user
    foreign key (person_id)
    references private.users (id)
    on delete cascade;

comment on constraint idempotency_keys_of_a_user on private.idempotency_keys is
  E'@status 403\nOnly somebody who has registered can use an Idempotency-Key';
