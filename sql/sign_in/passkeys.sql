create or replace function identity.list_passkeys(account_id uuid)
  returns setof identity.passkeys
  language plpgsql
  stable
  security definer -- the API role has no access to the passkeys
  set search_path = ''
as $$
begin
  perform private.require_service();

  return query
  select p.*
    from identity.passkeys p
   where p.account_id = list_passkeys.account_id
   order by p.created_at, p.id;
end;
$$;

comment on function identity.list_passkeys is
  'The passkeys of a person, oldest first.';
grant execute on function identity.list_passkeys to parking_api;

/*
 * The lock of the account lets two requests count one after the other. Signing out elsewhere comes first, or waits:
 * access tokens last up to an hour after their sign-in was ended, and a passkey would outlast them.
 */
create or replace function identity.add_passkey(
    account_id uuid,
    issued_at timestamptz,
    credential_id bytea,
    public_key bytea,
    counter bigint,
    transports text[],
    is_backed_up boolean,
    name text
)
  returns identity.passkeys
  language plpgsql
  security definer -- the API role has no access to the passkeys
  set search_path = ''
as $$
declare
  v_count integer;
  v_passkey identity.passkeys;
begin
  perform private.require_service();

  perform
     from identity.accounts a
    where a.id = add_passkey.account_id
      and (a.signed_out_at < add_passkey.issued_at) is not false -- it is in whole seconds, rounded down
      for no key update;
  if not found then
    raise sqlstate 'PT404' using message = 'Account not found';
  end if;

  select count(*) into v_count from identity.passkeys p where p.account_id = add_passkey.account_id;
  if v_count >= 10 then
    raise sqlstate 'PT409' using message = 'You have ten passkeys already; remove one of them first';
  end if;

  perform identity.charge_passkey(add_passkey.account_id);
  insert into identity.passkeys as p (
    account_id, credential_id, public_key, counter, transports, is_backed_up, name
  )
  values (
    add_passkey.account_id, add_passkey.credential_id, add_passkey.public_key, add_passkey.counter,
    add_passkey.transports, add_passkey.is_backed_up, add_passkey.name
  )
  on conflict on constraint passkeys_credential_id_key do nothing
  returning p.* into v_passkey;
  if not found then
    raise sqlstate 'PT409' using message = 'There is such a passkey already';
  end if;

  return v_passkey;
end;
$$;

comment on function identity.add_passkey is
  'Adds a passkey of a person, who may have ten.';
grant execute on function identity.add_passkey to parking_api;

create or replace function identity.remove_passkey(account_id uuid, id uuid)
  returns text
  language plpgsql
  security definer -- the API role has no access to the passkeys
  set search_path = ''
as $$
declare
  v_name text;
begin
  perform private.require_service();

  delete from identity.passkeys p
   where p.id = remove_passkey.id
     and p.account_id = remove_passkey.account_id
  returning p.name into v_name;
  if found then
    perform identity.charge_passkey(remove_passkey.account_id);
  end if;
  return v_name;
end;
$$;

comment on function identity.remove_passkey is
  'Removes a passkey of a person and returns its name; null where the person has no such one.';
grant execute on function identity.remove_passkey to parking_api;

create or replace function identity.find_passkey(credential_id bytea)
  returns setof identity.passkeys
  language plpgsql
  stable
  security definer -- the API role has no access to the passkeys
  set search_path = ''
as $$
begin
  perform private.require_service();

  return query
  select p.*
    from identity.passkeys p
   where p.credential_id = find_passkey.credential_id;
end;
$$;

comment on function identity.find_passkey is
  'The passkey with this name, to check its signature.';
grant execute on function identity.find_passkey to parking_api;

/* The counter is compared again: two sign-ins may have read the same one. */
create or replace function identity.use_passkey(credential_id bytea, counter bigint, is_backed_up boolean)
  returns text
  language plpgsql
  security definer -- the API role has no access to the passkeys
  set search_path = ''
as $$
declare
  v_account_id uuid;
  v_address text;
begin
  perform private.require_service();

  update identity.passkeys p
     set counter = use_passkey.counter,
         is_backed_up = use_passkey.is_backed_up,
         last_used_at = clock_timestamp()
   where p.credential_id = use_passkey.credential_id
     and (p.counter < use_passkey.counter or (p.counter = 0 and use_passkey.counter = 0))
  returning p.account_id into v_account_id;

  update identity.accounts a
     set signed_in_at = now()
   where a.id = v_account_id
  returning a.address into v_address;
  return v_address;
end;
$$;

comment on function identity.use_passkey is
  'Notes that a passkey signed its person in, and returns the address of the account; null where the passkey is gone, or its counter is not higher.';
grant execute on function identity.use_passkey to parking_api;

create or replace function identity.charge_passkey(account_id uuid)
  returns void
  language plpgsql
  security invoker -- for functions that may: no grant to the API role
  set search_path = ''
as $$
begin
  if identity.charge('account ' || charge_passkey.account_id, array['passkey-day'], '{30}') > 0 then
    raise sqlstate 'PT429' using message = 'You changed your passkeys too often today';
  end if;
end;
$$;

comment on function identity.charge_passkey is
  'Refuses a person whose passkeys change more than thirty times a day: each time is a mail.';
