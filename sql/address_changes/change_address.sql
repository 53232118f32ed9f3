/* The codes from both mailboxes are typed at once, by the person who is signed in, and compared as one. */
create or replace function identity.change_address(
    account_id uuid,
    interaction_hash bytea,
    code_hash bytea,
    network text,
    kept_hashes bytea[],
    out outcome text,
    out wait integer
)
  language plpgsql
  security definer -- the API role has no access to the codes
  set search_path = ''
as $$
declare
  v_address text;
  v_new_address text;
begin
  perform private.require_service();

  -- First, as an erasure and a registration do: what is compared below stays so.
  perform private.lock_person(change_address.account_id);

  select s.outcome, s.wait, s.address, s.new_address
    into change_address.outcome, change_address.wait, v_address, v_new_address
    from identity.spend_code(
      change_address.interaction_hash, change_address.code_hash, change_address.network, false
    ) s;

  if outcome <> 'right' then
    return;
  elsif not exists (
    select from identity.accounts a
     where a.id = change_address.account_id
       and a.address = v_address
       and v_new_address is not null
  ) then
    outcome := 'ended';
  elsif not identity.use_address(change_address.account_id, v_new_address) then
    outcome := 'taken';
  else
    perform identity.end_elsewhere(change_address.account_id, change_address.kept_hashes);
  end if;
end;
$$;

comment on function identity.change_address is
  'Changes the address of an account, where the codes from both mailboxes are right, and ends what is signed in elsewhere. outcome: as of identity.try_code, or taken, where another person has the address.';
grant execute on function identity.change_address to parking_api;

/*
 * An account without a profile gives way: the person who has the mailbox made it, and it has nothing. A change
 * that still waits is dropped.
 */
create or replace function identity.use_address(account_id uuid, address text)
  returns boolean
  language plpgsql
  security invoker -- for functions that may: no grant to the API role
  set search_path = ''
as $$
declare
  v_change private.address_changes;
  v_holder_id uuid;
begin
  -- The account before its changes: identity.enter_account locks in this order, too.
  perform from identity.accounts a where a.id = use_address.account_id for update;

  if identity.is_of_another(use_address.address, use_address.account_id) then
    return false;
  end if;

  -- A first sign-in with the address at this moment comes before, or waits and finds this account.
  insert into identity.accounts as a (address)
  values (use_address.address)
  on conflict on constraint accounts_address_key do update
    set address = excluded.address
  returning a.id into v_holder_id;
  delete from identity.accounts a
   where a.id = v_holder_id;

  -- The change that an administrator gave, or the person's own.
  update private.address_changes c
     set ended_at = clock_timestamp()
   where c.account_id = use_address.account_id
     and c.new_address = use_address.address
     and c.ended_at is null
  returning c.* into v_change;

  if not found then
    delete from private.address_changes c
     where c.account_id = use_address.account_id
       and c.ended_at is null;
    insert into private.address_changes (account_id, old_address, new_address, ended_at)
    select a.id, a.address, use_address.address, clock_timestamp()
      from identity.accounts a
     where a.id = use_address.account_id
    returning * into v_change;
  end if;

  update identity.accounts a
     set address = use_address.address
   where a.id = use_address.account_id;

  -- The act of the person. Their older tokens have the old address, and overwrite nothing.
  perform set_config(
    'request.jwt.claims', jsonb_build_object('sub', use_address.account_id)::text, true
  );
  update private.users u
     set email = use_address.address,
         email_confirmed_at = now(),
         token_issued_at = clock_timestamp()
   where u.id = use_address.account_id
     and u.erased_at is null;
  perform set_config('request.jwt.claims', '', true);

  perform identity.mail_change(v_change, 'changed');
  return true;
end;
$$;

comment on function identity.use_address is
  'Sets the address of an account, and of the profile. Tells the person at both addresses. False where another person has it.';

create or replace function identity.is_of_another(address text, account_id uuid)
  returns boolean
  language sql
  stable
  security invoker -- for functions that may: no grant to the API role
  set search_path = ''
return exists (
    select from identity.accounts a
      join parking.profiles p on p.id = a.id
     where a.address = is_of_another.address
       and a.id <> is_of_another.account_id
  )
  or exists (
    select from private.address_changes c
     where c.new_address = is_of_another.address
       and c.account_id <> is_of_another.account_id
       and c.ended_at is null
  );

comment on function identity.is_of_another is
  'Whether another resident signs in with the address, or an administrator gave it to another.';

/*
 * A person who can still read the old mailbox needs no other address, or does not want the one that an
 * administrator gave: it is dropped, and the administrator learns it.
 */
create or replace function identity.enter_account(
    address text,
    out account_id uuid,
    out opens_in integer
)
  language plpgsql
  security invoker -- for functions that may: no grant to the API role
  set search_path = ''
as $$
declare
  v_change private.address_changes;
begin
  select c.* into v_change
    from private.address_changes c
   where c.new_address = enter_account.address
     and c.ended_at is null
     and not identity.is_of_another(c.new_address, c.account_id);

  if v_change.starts_at > clock_timestamp() then
    opens_in := ceil(extract(epoch from v_change.starts_at - clock_timestamp()));
    return;
  elsif found then
    -- The person before the change, as private.give_address locks them.
    perform private.lock_person(v_change.account_id);
    if exists (
        select from private.address_changes c where c.id = v_change.id and c.ended_at is null
      )
      and identity.use_address(v_change.account_id, enter_account.address)
    then
      -- A person who is signed in, or has a passkey, may be the one who took the mailbox.
      perform identity.end_elsewhere(v_change.account_id, '{}');
      delete from identity.passkeys k
       where k.account_id = v_change.account_id;
    end if;
  end if;

  insert into identity.accounts as a (address, signed_in_at)
  values (enter_account.address, now())
  on conflict on constraint accounts_address_key do update
    set signed_in_at = excluded.signed_in_at
  returning a.id into enter_account.account_id;

  update private.address_changes c
     set ended_at = clock_timestamp()
   where c.account_id = enter_account.account_id
     and c.ended_at is null
  returning c.* into v_change;

  if found then
    perform identity.mail_change(v_change, 'kept');
  end if;
end;
$$;

comment on function identity.enter_account is
  'The account that a confirmed address signs in to. A new one, where it has none; null, and in how many seconds, where an administrator gave the address and it cannot be used yet.';
