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
