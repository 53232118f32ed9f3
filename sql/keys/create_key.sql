create or replace function api.create_key(
    inout name text,
    inout scopes text[],
    inout expires_at timestamptz,
    out id uuid,
    out maker_id uuid,
    out last_used_at timestamptz,
    out created_at timestamptz,
    out secret text
)
  language plpgsql
  set search_path = ''
as $$
begin
  perform private.require_administrator();

  secret := 'parking_' || private.base64url(private.new_secret());
  insert into parking.keys as k (name, scopes, expires_at, secret_hash)
  values (
    create_key.name, create_key.scopes, create_key.expires_at,
    sha256(convert_to(create_key.secret, 'UTF8'))
  )
  returning k.id, k.maker_id, k.expires_at, k.created_at
       into create_key.id, create_key.maker_id, create_key.expires_at, create_key.created_at;
end;
$$;

comment on function api.create_key is
  'Make a key for a machine. Only this answer has its secret, which is sent as a bearer token';
grant execute on function api.create_key to parking_api;
