/* The person and a signature, in 43 characters that an address may have. Both parts have a fixed length. */
create or replace function private.unsubscribe_key(person_id uuid)
  returns text
  language sql
  stable
  set search_path = ''
begin atomic
  select private.base64url(
           uuid_send(unsubscribe_key.person_id)
             || substring(sha256(k.key || uuid_send(unsubscribe_key.person_id)) for 16)
         )
    from private.mail_key k;
end;

comment on function private.unsubscribe_key is
  'The secret part of the address that ends the mails of this person.';

create or replace function private.unsubscribe(key text)
  returns boolean
  language plpgsql
  security definer -- who has the mail proves it by the key, and is no caller
  set search_path = ''
as $$
declare
  v_id uuid;
begin
  if unsubscribe.key !~ '^[A-Za-z0-9_-]{43}$' then
    return false;
  end if;

  v_id := encode(
    substring(decode(translate(unsubscribe.key, '-_', '+/') || '=', 'base64') for 16), 'hex'
  )::uuid;

  if private.unsubscribe_key(v_id) is distinct from unsubscribe.key then
    return false;
  end if;

  -- Mail programs may send it again and again: only the first writes, or waits for the row.
  insert into parking.preferences as f (person_id, mail)
  select p.id, '{}'
    from parking.profiles p
   where p.id = v_id
     and not exists (
       select
         from parking.preferences e
        where e.person_id = p.id
          and e.mail = '{}'
     )
  on conflict on constraint preferences_pkey do update
    set mail = '{}';
  return true;
end;
$$;

comment on function private.unsubscribe is
  'Ends the mails of the person whom this key was made for; false where it is none.';
grant execute on function private.unsubscribe to parking_api;
