create or replace function identity.find_account(
    id uuid,
    out email text,
    out signed_out_at timestamptz
)
  language plpgsql
  stable
  security definer -- the API role has no access to the accounts
  set search_path = ''
as $$
begin
  perform private.require_service();

  select a.address, a.signed_out_at into find_account.email, find_account.signed_out_at
    from identity.accounts a
   where a.id = find_account.id;
end;
$$;

comment on function identity.find_account is
  'The confirmed address of an account, and when what was signed in elsewhere was ended; null where there is no such account.';
grant execute on function identity.find_account to parking_api;
