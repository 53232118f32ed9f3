/* The caller's id. */
create or replace function private.caller_id()
  returns uuid
  language sql
  stable
  parallel safe
return case
  when pg_input_is_valid(private.token_claims() ->> 'sub', 'uuid')
    then (private.token_claims() ->> 'sub')::uuid
end;

comment on function private.caller_id is
  'The id of the caller. Null where nobody is signed in; null matches no row.';
grant execute on function private.caller_id to parking_api;
