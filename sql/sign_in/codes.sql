/*
 * Everything that may cause a mail is counted here, under the locks of the windows, so that the limits hold
 * for several processes. Known and unknown addresses run the same statements.
 */
create or replace function identity.request_code(
    interaction_hash bytea,
    address text,
    code_hash bytea,
    network text,
    is_known boolean default false
)
  returns integer
  language plpgsql
  security definer -- the API role has no access to the codes
  set search_path = ''
as $$
declare
  v_address constant text := lower(request_code.address);
  v_wait integer;
begin
  perform private.require_service();

  if request_code.is_known then
    v_wait := identity.charge(
      'known ' || identity.name_of(v_address), array['code-hour', 'code-day'], '{5,10}'
    );
  end if;

  if v_wait is distinct from 0 then
    -- A building of sixty on its first evening; and no network has all that the building has.
    v_wait := identity.charge(
      'network ' || request_code.network, array['code-hour', 'code-day'], '{150,400}'
    );
    if v_wait = 0 then
      v_wait := identity.charge(
        'address ' || identity.name_of(v_address), array['code-hour', 'code-day'], '{5,10}'
      );
    end if;
    if v_wait = 0 then
      v_wait := identity.charge('building', array['code-hour', 'code-day'], '{300,1000}');
    end if;
  end if;

  if v_wait = 0 then
    insert into identity.codes as c (interaction_hash, address, code_hash, expires_at)
    values (
      request_code.interaction_hash, v_address, request_code.code_hash,
      clock_timestamp() + interval '10 minutes'
    )
    on conflict on constraint codes_pkey do update
      set address = excluded.address,
          code_hash = excluded.code_hash,
          tries = 0,
          expires_at = excluded.expires_at;
  end if;

  return v_wait;
end;
$$;

comment on function identity.request_code is
  'Stores a code for an address, and returns 0; where that is too often for the network, the address or the building, returns for how many seconds.';
grant execute on function identity.request_code to parking_api;

create or replace function identity.try_code(
    interaction_hash bytea,
    code_hash bytea,
    network text,
    is_known boolean default false,
    out account_id uuid,
    out address text,
    out wait integer,
    out opens_in integer
)
  language plpgsql
  security definer -- the API role has no access to the codes
  set search_path = ''
as $$
declare
  v_code record;
begin
  perform private.require_service();

  select s.* into v_code
    from identity.spend_code(
      try_code.interaction_hash, try_code.code_hash, try_code.network, try_code.is_known
    ) s;
  address := v_code.address;
  wait := v_code.wait;

  if v_code.is_right then
    delete from identity.codes c
     where c.interaction_hash = try_code.interaction_hash;

    select e.account_id, e.opens_in into try_code.account_id, try_code.opens_in
      from identity.enter_account(v_code.address) e;
  end if;
end;
$$;

comment on function identity.try_code is
  'Uses the code of a sign-in. account_id is the person, where it was the right one; address is null where there is no code any more; wait is for how many seconds nothing is tried; opens_in is in how many seconds an address can be used that an administrator gave.';
grant execute on function identity.try_code to parking_api;

/* Right codes are counted too: of requests at the same moment, none is compared before it is counted. */
create or replace function identity.spend_code(
    interaction_hash bytea,
    code_hash bytea,
    network text,
    is_known boolean,
    out address text,
    out wait integer,
    out is_right boolean
)
  language plpgsql
  security invoker -- for functions that may: no grant to the API role
  set search_path = ''
as $$
declare
  v_code identity.codes;
begin
  -- The row stays locked, so the tries of one sign-in come one after the other.
  update identity.codes c
     set tries = c.tries + 1
   where c.interaction_hash = spend_code.interaction_hash
     and c.tries < 5
     and identity.is_fresh(c.expires_at)
  returning c.* into v_code;

  if not found then
    return;
  end if;
  address := v_code.address;

  if spend_code.is_known then
    wait := identity.charge('known ' || identity.name_of(v_code.address), array['guess-day'], '{20}');
  end if;
  if wait is distinct from 0 then
    wait := identity.charge('network ' || spend_code.network, array['guess-hour'], '{200}');
    if wait = 0 then
      wait := identity.charge(
        'address ' || identity.name_of(v_code.address), array['guess-day'], '{20}'
      );
    end if;
  end if;
  is_right := wait = 0 and v_code.code_hash = spend_code.code_hash;
end;
$$;

comment on function identity.spend_code is
  'Counts an attempt at a code. address is where the code was mailed to, null where there is none any more; wait is for how many seconds nothing is tried.';

/* A clock that ran ahead when it was made would make it last longer. */
create or replace function identity.is_fresh(expires_at timestamptz)
  returns boolean
  language sql
return is_fresh.expires_at > clock_timestamp()
  and is_fresh.expires_at <= clock_timestamp()::timestamptz(3) + interval '10 minutes';

comment on function identity.is_fresh is
  'Whether a code that ends then can still be used.';

create or replace function identity.pending_address(interaction_hash bytea)
  returns text
  language plpgsql
  stable
  security definer -- the API role has no access to the codes
  set search_path = ''
as $$
begin
  perform private.require_service();

  return (
    select c.address
      from identity.codes c
     where c.interaction_hash = pending_address.interaction_hash
       and identity.is_fresh(c.expires_at)
  );
end;
$$;

comment on function identity.pending_address is
  'Where the code of a sign-in was mailed to; null where there is none.';
grant execute on function identity.pending_address to parking_api;

create or replace function identity.drop_code(interaction_hash bytea)
  returns void
  language plpgsql
  security definer -- the API role has no access to the codes
  set search_path = ''
as $$
begin
  perform private.require_service();

  delete from identity.codes c
   where c.interaction_hash = drop_code.interaction_hash;
end;
$$;

comment on function identity.drop_code is
  'Forgets the code of a sign-in, whose person wants to type another address.';
grant execute on function identity.drop_code to parking_api;

create or replace function identity.name_of(address text)
  returns text
  language sql
  immutable
  set search_path = ''
return encode(sha256(convert_to(name_of.address, 'UTF8')), 'base64');

comment on function identity.name_of is
  'The name under which an address is counted: the table of the counts has no addresses.';

/* The windows of an hour or a day, by their names. */
create or replace function identity.charge(caller text, windows text[], most integer[])
  returns integer
  language sql
  security invoker -- for functions that may: no grant to the API role
  set search_path = ''
begin atomic
  select coalesce(
           max(ceil(c.milliseconds / 1000.0)) filter (where c.charged > m.most),
           0
         )::integer
    from private.charge_rate_limits(
           charge.caller,
           1,
           charge.windows,
           charge.most,
           array(
             select case when w like '%-hour' then 3600 else 86400 end
               from unnest(charge.windows) with ordinality u (w, position)
              order by u.position
           )
         ) with ordinality c (charged, milliseconds, position)
    join unnest(charge.most) with ordinality m (most, position) using (position);
end;

comment on function identity.charge is
  'Charges one point in each window: 0, or for how many seconds one of them is full.';
