create or replace function api.list_keys()
  returns table (
    id uuid,
    name text,
    scopes text[],
    expires_at timestamptz,
    maker_id uuid,
    last_used_at timestamptz,
    created_at timestamptz
  )
  language sql
  stable
as $$
  select k.id, k.name, k.scopes, k.expires_at, k.maker_id, k.last_used_at, k.created_at
    from parking.keys k
$$;

comment on function api.list_keys is
  'The keys of machines, newest first, without their secrets';
grant execute on function api.list_keys to parking_api;

create or replace function api.get_key(id uuid)
  returns table (
    id uuid,
    name text,
    scopes text[],
    expires_at timestamptz,
    maker_id uuid,
    last_used_at timestamptz,
    created_at timestamptz
  )
  language sql
  stable
  rows 1
as $$
  select k.*
    from api.list_keys() k
   where k.id = get_key.id
$$;

comment on function api.get_key is
  'One key of a machine, without its secret';
grant execute on function api.get_key to parking_api;

/* The service asks this with the hash of a secret, before there is a caller. */
create or replace function private.identify_key(
    secret_hash bytea,
    out id uuid,
    out is_noted boolean
)
  language sql
  stable
  security definer -- finds the key of a secret, which the API role may not read
  set search_path = ''
begin atomic
  select k.id, coalesce(k.last_used_at > now() - interval '10 minutes', false)
    from parking.keys k
   where k.secret_hash = identify_key.secret_hash
     and k.expires_at > now();
end;

comment on function private.identify_key is
  'The key with this hash of its secret, and whether its use was noted in the last ten minutes; null where there is none, or it has ended.';
grant execute on function private.identify_key to parking_api;

create or replace function private.has_scope(scope text)
  returns boolean
  language sql
  stable
  parallel safe
  security definer -- a key may not read what keys may do
  set search_path = ''
return exists (
  select
    from parking.keys k
   where k.id = (select private.key_id())
     and (select private.caller_id()) is null
     and k.expires_at > now()
     and has_scope.scope = any (k.scopes)
);

comment on function private.has_scope is
  'Whether the caller is a key, still there, that may do this.';
grant execute on function private.has_scope to parking_api;

create or replace function private.require_scope(scope text, of_residents boolean default false)
  returns void
  language plpgsql
  stable
  set search_path = ''
as $$
begin
  if private.key_id() is not null then
    if not private.has_scope(require_scope.scope) then
      perform private.refuse('key_scope_required');
    end if;
  elsif require_scope.of_residents then
    perform private.require_approved();
  else
    perform private.require_administrator();
  end if;
end;
$$;

comment on function private.require_scope is
  'Fails under the rule key_scope_required where the caller is a key that may not do this; of people it asks that they are approved administrators, or approved.';
grant execute on function private.require_scope to parking_api;
