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
