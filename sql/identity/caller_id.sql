/* The caller's id. */
create or replace function private.caller_id()
  returns uuid
  language sql
  stable
  parallel safe
return case
  -- Unset at first, '' after the first transaction that set it; neither is an error.
  when pg_input_is_valid(current_setting('request.jwt.claims', true), 'jsonb')
    -- Null where there is no sub, or one that is no uuid.
    then json_value(
      current_setting('request.jwt.claims', true)::jsonb, 'strict $.sub' returning uuid
    )
end;

comment on function private.caller_id is
  'The id of the caller, from the claims of the token (setting request.jwt.claims). Null where nobody is signed in; null matches no row.';
grant execute on function private.caller_id to parking_api;
