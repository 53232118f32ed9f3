create or replace function identity.address_of(account_id uuid)
  returns text
  language plpgsql
  stable
  security definer -- the API role has no access to the accounts
  set search_path = ''
as $$
begin
  perform private.require_service();

  return (
    select a.address
      from identity.accounts a
     where a.id = address_of.account_id
  );
end;
$$;

comment on function identity.address_of is
  'The confirmed address of an account; null where there is no such account.';
grant execute on function identity.address_of to parking_api;
