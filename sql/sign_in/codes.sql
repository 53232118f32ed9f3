/*
 * Everything that may cause a mail is counted here, under the locks of the windows, so that the limits hold
 * for several processes. Known and unknown addresses run the same statements.
 */
create or replace function identity.request_code(
    interaction_hash bytea,
    code_hash bytea,
    network text,
    is_known boolean,
    address text,
    new_address text default null
)
  returns integer
  language plpgsql
  security definer -- the API role has no access to the codes
  set search_path = ''
as $$
declare
  c_windows constant text[] := array['code-hour', 'code-day'];
  v_address text;
  v_wait integer;
begin
  perform private.require_service();

  if request_code.is_known is not true
    or identity.charge('known ' || identity.name_of(request_code.address), c_windows, '{5,10}') > 0
  then
    foreach v_address in array array_remove(array[request_code.address, request_code.new_address], null)
    loop
      v_wait := coalesce(
        v_wait,
        -- A building of sixty on its first evening; and no network has all that the building has.
        identity.charge('network ' || request_code.network, c_windows, '{150,400}'),
        identity.charge('address ' || identity.name_of(v_address), c_windows, '{5,10}'),
        identity.charge('building', c_windows, '{300,1000}')
      );
    end loop;
  end if;

  if v_wait is null then
    insert into identity.codes as c (interaction_hash, address, new_address, code_hash, expires_at)
    values (
      request_code.interaction_hash, request_code.address, request_code.new_address,
      request_code.code_hash, clock_timestamp() + interval '10 minutes'
    )
    on conflict on constraint codes_pkey do update
      set address = excluded.address,
          new_address = excluded.new_address,
          code_hash = excluded.code_hash,
          tries = 0,
          expires_at = excluded.expires_at;
  end if;

  return v_wait;
end;
$$;

comment on function identity.request_code is
  'Stores a code for an address, or for a change of it the codes for both. Returns null; where that is too often for the network, an address or the building, returns for how many seconds, and stores nothing.';
grant execute on function identity.request_code to parking_api;

create or replace function identity.try_code(
    interaction_hash bytea,
    code_hash bytea,
    network text,
    is_known boolean,
    out outcome text,
    out wait integer,
    out account_id uuid,
    out address text
)
  language plpgsql
  security definer -- the API role has no access to the codes
  set search_path = ''
as $$
begin
  perform private.require_service();

  select s.outcome, s.wait, s.address
    into try_code.outcome, try_code.wait, try_code.address
    from identity.spend_code(
      try_code.interaction_hash, try_code.code_hash, try_code.network, try_code.is_known
    ) s;

  if outcome = 'right' then
    select e.account_id, e.opens_in into try_code.account_id, try_code.wait
      from identity.enter_account(try_code.address) e;
    if account_id is null then
      outcome := 'early';
    end if;
  end if;
end;
$$;

comment on function identity.try_code is
  'Uses the code of a sign-in. outcome: right, and account_id is the person; wrong; ended, where there is no code any more; wait, and nothing is tried for so many seconds; early, where an administrator gave the address, and it can be used in so many.';
grant execute on function identity.try_code to parking_api;

/* Right codes are counted too: of requests at the same moment, none is compared before it is counted. */
create or replace function identity.spend_code(
    interaction_hash bytea,
    code_hash bytea,
    network text,
    is_known boolean,
    out outcome text,
    out wait integer,
    out address text,
    out new_address text
)
  language plpgsql
  security invoker -- for functions that may: no grant to the API role
  set search_path = ''
as $$
declare
  c_window constant text[] := array['guess-day'];
  v_code_hash bytea;
begin
  -- The row stays locked, so the tries of one sign-in come one after the other.
  update identity.codes c
     set tries = c.tries + 1
   where c.interaction_hash = spend_code.interaction_hash
     and c.tries < 5
     and identity.is_fresh(c.expires_at)
  returning c.address, c.new_address, c.code_hash
       into spend_code.address, spend_code.new_address, v_code_hash;

  if not found then
    outcome := 'ended';
    return;
  end if;

  if spend_code.is_known is not true
    or identity.charge('known ' || identity.name_of(spend_code.address), c_window, '{20}') > 0
  then
    wait := coalesce(
      identity.charge('network ' || spend_code.network, array['guess-hour'], '{200}'),
      identity.charge('address ' || identity.name_of(spend_code.address), c_window, '{20}'),
      case
        when spend_code.new_address is not null
          then identity.charge('address ' || identity.name_of(spend_code.new_address), c_window, '{20}')
      end
    );
  end if;

  if wait is not null then
    outcome := 'wait';
  elsif v_code_hash <> spend_code.code_hash then
    outcome := 'wrong';
  else
    outcome := 'right';
    delete from identity.codes c
     where c.interaction_hash = spend_code.interaction_hash;
  end if;
end;
$$;

comment on function identity.spend_code is
  'Counts an attempt at a code. outcome: right, which uses it up; wrong; ended; wait, and for how many seconds nothing is tried.';

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
    select coalesce(c.new_address, c.address)
      from identity.codes c
     where c.interaction_hash = pending_address.interaction_hash
       and identity.is_fresh(c.expires_at)
  );
end;
$$;

comment on function identity.pending_address is
  'The address that the code of a sign-in or of a change proves; null where there is no code.';
grant execute on function identity.pending_address to parking_api;

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
  select max(ceil(c.milliseconds / 1000.0)) filter (where c.charged > m.most)::integer
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
  'Charges one point in each window. Null, or for how many seconds one of them is full.';
