/* The verified claims of the token, which the service sets for each transaction. */
create or replace function private.token_claims()
  returns jsonb
  language sql
  stable
  parallel safe
return case
  -- Unset at first, '' after the first transaction that set it; neither is an error.
  when pg_input_is_valid(current_setting('request.jwt.claims', true), 'jsonb')
    then current_setting('request.jwt.claims', true)::jsonb
end;

comment on function private.token_claims is
  'The claims of the caller''s token (setting request.jwt.claims); null where there is no caller.';
grant execute on function private.token_claims to parking_api;
