/*
 * Somebody who sends keys without end would fill the disk of everybody. Not private.enforce_few: most claims
 * have a key, and what it makes of its arguments is planned anew for each.
 */
create or replace function private.enforce_few_per_person()
  returns trigger
  language plpgsql
  security definer -- the API role may not read the answers that it counts
  set search_path = ''
as $$
declare
  v_most constant integer := tg_argv[0];
begin
  perform private.take_turn(tg_name, new.person_id);

  if (
    select count(*)
      from (
        select from private.idempotency_keys k
         where k.person_id = new.person_id
           and k.expires_at > now()
           -- Leaves out keys from a time when the clock ran ahead.
           and k.expires_at <= clock_timestamp()::timestamptz(3) + interval '24 hours'
         limit v_most + 1
      ) kept
  ) > v_most then
    perform private.refuse(tg_name, '23514');
  end if;
  return null;
end;
$$;

-- The number that the default rate limit lets a person send in an hour.
create or replace trigger idempotency_keys_few_per_person
  after insert on private.idempotency_keys
  for each row
  execute function private.enforce_few_per_person('1000');

comment on trigger idempotency_keys_few_per_person on private.idempotency_keys is
  E'@status 409\n@de Sie haben an einem Tag sehr viel getan. Versuchen Sie es in ein paar Stunden wieder.\nYou have used 1000 Idempotency-Keys within 24 hours; try again later, or without one';
