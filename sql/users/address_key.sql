/*
 * Which addresses are the same. No provider tells Maria@ from maria@. Beyond ASCII a letter may be the
 * small form of another that only looks alike, such as the Kelvin sign, and be somebody else's address.
 */
create or replace function private.address_key(email text)
  returns text
  language sql
  immutable
  strict
  parallel safe
return lower(address_key.email collate "C");

comment on function private.address_key is
  'What an address is compared by: its ASCII letters in lower case.';
grant execute on function private.address_key to parking_api;
