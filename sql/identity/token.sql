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

create or replace function private.caller_id()
  returns uuid
  language sql
  stable
  parallel safe
-- Null where there is no sub, or one that is no uuid.
return json_value(private.token_claims(), 'strict $.sub' returning uuid);

comment on function private.caller_id is
  'The id of the caller, from the claims of the token (setting request.jwt.claims). Null where nobody is signed in; null matches no row.';
grant execute on function private.caller_id to parking_api;

/*
 * A resident for whom somebody of the staff acts is the caller, so that all rules bind as if it was their own
 * request. The staff stand in the member "act", as in RFC 8693. Only private.act_for writes it: the service takes
 * no such claim from a token.
 */
create or replace function private.act_member(name text)
  returns text
  language plpgsql -- no expression: to prepare JSON's in each statement would cost a claim more than all else of this
  stable
  parallel safe
  set search_path = ''
as $$
begin
  return private.token_claims() -> 'act' ->> act_member.name;
end;
$$;

comment on function private.act_member is
  'For private.acting_id and private.given_reason: who acts for the caller (sub), and why (reason).';
grant execute on function private.act_member to parking_api;

/* An expression that the planner puts in its place. Each claim asks several times, and mostly nothing is parsed. */
create or replace function private.acting_id()
  returns uuid
  language sql
  stable
  parallel safe
return case
  when strpos(current_setting('request.jwt.claims', true), '"act"') > 0
    then private.act_member('sub')::uuid
end;

comment on function private.acting_id is
  'Who of the staff acts for the caller; null where callers act for themselves.';
grant execute on function private.acting_id to parking_api;

/* The service believes the later of two tokens of a person. */
create or replace function private.token_issued_at()
  returns timestamptz
  language sql
  stable
  parallel safe
return to_timestamp(
  json_value(private.token_claims(), 'strict $.iat' returning double precision)
)::timestamptz(3);

comment on function private.token_issued_at is
  'When the caller''s token was issued, as far as it says so (iat).';

/* A machine's claims are {"key": …} without sub. So it is nobody to each policy that asks for a person. */
create or replace function private.key_id()
  returns uuid
  language sql
  stable
  parallel safe
return json_value(private.token_claims(), 'strict $.key' returning uuid);

comment on function private.key_id is
  'The id of the key that is the caller (setting request.jwt.claims). Null where a person is, or nobody.';
grant execute on function private.key_id to parking_api;
