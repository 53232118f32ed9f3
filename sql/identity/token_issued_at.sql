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
