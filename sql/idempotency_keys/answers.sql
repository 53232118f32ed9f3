/* The first step of a request with a key. Nobody waits for a request that is still running. */
create or replace function private.take_idempotency_key(key text, fingerprint text)
  returns table (body text, location_id uuid)
  language plpgsql
  security definer -- the API role may not read answers, which are other people's data too
  set search_path = ''
  rows 1
as $$
#variable_conflict use_column
declare
  v_person_id constant uuid := private.caller_id();
  v_kept private.idempotency_keys;
begin
  -- Until the end of the transaction, which a pooler does not cut in two.
  if not pg_try_advisory_xact_lock(
    hashtextextended(take_idempotency_key.key, hashtextextended(v_person_id::text, 1))
  ) then
    perform private.refuse('idempotency_key_in_use', '23505');
  end if;

  -- The erasure of the person waits for this request, and then deletes what it keeps.
  perform from private.users u where u.id = v_person_id for key share;

  delete from private.idempotency_keys k
   where k.person_id = v_person_id
     and k.key = take_idempotency_key.key
     and k.expires_at <= now();

  select k.* into v_kept
    from private.idempotency_keys k
   where k.person_id = v_person_id
     and k.key = take_idempotency_key.key;

  if not found then
    return;
  end if;

  if v_kept.fingerprint <> take_idempotency_key.fingerprint then
    perform private.refuse('idempotency_key_reused', '23514');
  end if;

  return query select v_kept.body, v_kept.location_id;
end;
$$;

comment on function private.take_idempotency_key is
  'Takes a key of the caller for the rest of the transaction, and returns the answer that is kept under it; no row where there is none. Fails under idempotency_key_in_use while another transaction has it, and under idempotency_key_reused where the answer is to another request.';
grant execute on function private.take_idempotency_key to parking_api;

create or replace function private.keep_answer(
    key text,
    fingerprint text,
    body text,
    location_id uuid
)
  returns void
  language plpgsql
  security definer -- the API role may neither read nor change answers
  set search_path = ''
as $$
begin
  insert into private.idempotency_keys (person_id, key, fingerprint, body, location_id)
  values (
    private.caller_id(),
    keep_answer.key,
    keep_answer.fingerprint,
    keep_answer.body,
    keep_answer.location_id
  );

  -- Each answer deletes two that expired, so that the table needs no job and does not grow.
  delete from private.idempotency_keys k
   where (k.person_id, k.key) in (
     select e.person_id, e.key
       from private.idempotency_keys e
      where e.expires_at <= now()
      order by e.expires_at
      limit 2
        for update skip locked
   );
end;
$$;

comment on function private.keep_answer is
  'Keeps the answer to a request of the caller under its key, for 24 hours.';
grant execute on function private.keep_answer to parking_api;
