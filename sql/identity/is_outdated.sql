/* A time that only a clock can have made that ran ahead would outdate all tokens until then. */
create or replace function private.is_outdated(known_issued_at timestamptz)
  returns boolean
  language sql
  stable
  parallel safe
return coalesce(
  private.token_issued_at() < is_outdated.known_issued_at
    and is_outdated.known_issued_at < now() + interval '1 minute',
  false
);

comment on function private.is_outdated is
  'Whether a token of the caller''s came before that was issued later: what this one says is out of date. A token without iat is not.';
