create or replace function private.push_public_key()
  returns text
  language sql
  stable
  security definer -- nobody reads the private key beside it
  set search_path = ''
begin atomic
  select k.public_key
    from private.push_key k
   where private.is_sent('push');
end;

comment on function private.push_public_key is
  'The public key of pushes; null where no process sends any.';
grant execute on function private.push_public_key to parking_api;

create or replace function api.get_push_key()
  returns table (public_key text)
  language sql
  stable
  rows 1
as $$
  select k.public_key
    from private.push_public_key() k (public_key)
   where k.public_key is not null
$$;

comment on function api.get_push_key is
  'The key for which a browser subscribes (VAPID); null where this building sends no pushes';
grant execute on function api.get_push_key to parking_api;
