/* Stores what a token says where that is new. Its time is always stored, because it outdates older tokens. */
create or replace function private.note_token()
  returns void
  language plpgsql
  security invoker -- the owner's tool: no grant to the API role
  set search_path = ''
as $$
declare
  v_issued_at constant timestamptz(3) := private.token_issued_at();
begin
  -- A read-only server serves the same tokens, and cannot write.
  if v_issued_at is not null and current_setting('transaction_read_only') = 'off' then
    -- A new address is stored later in this transaction, under a lock that comes before the user (private.lock_spot).
    if exists (
      select
        from private.users u
       cross join lateral private.said_by_token(u.email, u.email_confirmed_at) said
       where u.id = (select private.caller_id())
         and u.token_issued_at is distinct from v_issued_at
         and (u.email, u.email_confirmed_at) is distinct from (said.email, said.email_confirmed_at)
    ) then
      perform private.take_turn('administrators');
    end if;
    update private.users u
       set token_issued_at = v_issued_at
     where u.id = (select private.caller_id())
       and u.erased_at is null
       and u.token_issued_at is distinct from v_issued_at
       and not private.is_outdated(u.token_issued_at);
  end if;
end;
$$;

comment on function private.note_token is
  'Notes when the caller''s token was issued, unless it is out of date.';

create or replace function private.remember_user()
  returns private.users
  language plpgsql
  security definer -- the API role has no access to private.users, the sign-in data of everybody
  set search_path = ''
as $$
declare
  v_known private.users;
  v_email text;
  v_confirmed_at timestamptz(3);
begin
  select u.* into v_known
    from private.users u
   where u.id = (select private.caller_id());

  if v_known.erased_at is not null or private.is_outdated(v_known.token_issued_at) then
    return v_known;
  end if;

  select said.email, said.email_confirmed_at into v_email, v_confirmed_at
    from private.said_by_token(v_known.email, v_known.email_confirmed_at) said;

  if v_email is null then
    perform private.refuse('users_email_is_given', '23502');
  end if;

  -- Usually nothing is new. An update that changes nothing fails on a server that only reads.
  if (v_known.email, v_known.email_confirmed_at) is not distinct from (v_email, v_confirmed_at) then
    perform private.note_token();
    return v_known;
  end if;

  if v_known.id is null then
    -- "on conflict" covers only the id. A second request of this person could break the other key.
    perform pg_advisory_xact_lock(hashtextextended(private.caller_id()::text, 0));
    insert into private.users (id, email, email_confirmed_at, token_issued_at)
    values (private.caller_id(), v_email, v_confirmed_at, private.token_issued_at())
    on conflict (id) do nothing;
  else
    update private.users u
       set email = v_email,
           email_confirmed_at = v_confirmed_at,
           token_issued_at = coalesce(private.token_issued_at(), u.token_issued_at)
     where u.id = v_known.id
       and not private.is_outdated(u.token_issued_at)
       and (u.email, u.email_confirmed_at) is distinct from (v_email, v_confirmed_at);
  end if;

  select u.* into v_known
    from private.users u
   where u.id = (select private.caller_id());
  return v_known;
end;
$$;

comment on function private.remember_user is
  'Records or refreshes the sign-in data of the caller from the claims email, email_confirmed_at and email_verified, and returns it.';
grant execute on function private.remember_user to parking_api;
