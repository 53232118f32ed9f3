create or replace function identity.list_keys()
  returns table (kid text, sealed bytea, is_due boolean)
  language plpgsql
  stable
  security definer -- the API role has no access to the keys
  set search_path = ''
as $$
begin
  perform private.require_service();

  return query
  select k.kid, k.sealed, k.created_at < now() - interval '90 days'
    from identity.keys k
   order by k.created_at desc, k.kid;
end;
$$;

comment on function identity.list_keys is
  'The keys that sign tokens, newest first, and whether it is time for a newer one.';
grant execute on function identity.list_keys to parking_api;

/* The first of several processes that start at once adds its key. */
create or replace function identity.add_key(kid text, sealed bytea, newest text)
  returns void
  language plpgsql
  security definer -- the API role has no access to the keys
  set search_path = ''
as $$
begin
  perform private.require_service();

  lock table identity.keys in share row exclusive mode;

  insert into identity.keys (kid, sealed, created_at)
  select add_key.kid, add_key.sealed, clock_timestamp()
   where add_key.newest is not distinct from (
     select k.kid
       from identity.keys k
      order by k.created_at desc, k.kid
      limit 1
   );

  delete from identity.keys k
   where k.kid not in (
     select n.kid
       from identity.keys n
      order by n.created_at desc, n.kid
      limit 2
   );
end;
$$;

comment on function identity.add_key is
  'Adds a key to sign tokens with, unless another came after the newest one that the caller knows. The two newest stay.';
grant execute on function identity.add_key to parking_api;
