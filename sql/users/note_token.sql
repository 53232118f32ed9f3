/* Stores what a token says where that is new. Its time is always stored, because it outdates older tokens. */
create or replace function private.note_token()
  returns void
  language plpgsql
  volatile
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
      update private.administrators_lock set only_row = true;
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
