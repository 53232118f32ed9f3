/* What the sign-in data of a user are, now that the caller's token has come. */
create or replace function private.said_by_token(known_email text, known_confirmed_at timestamptz)
  returns table (email text, email_confirmed_at timestamptz)
  language sql
  stable
  parallel safe
  rows 1
begin atomic
  -- A claim that the token does not have leaves the stored value.
  select
      said.email,
      coalesce(
        (t.claims ->> 'email_confirmed_at')::timestamptz(3),
        case
          when said.email = said_by_token.known_email then said_by_token.known_confirmed_at
        end,
        case when t.claims -> 'email_verified' = 'true'::jsonb then now() end
      )
    from (select private.token_claims() as claims offset 0) t -- parsed once
   cross join lateral (
     select coalesce(t.claims ->> 'email', said_by_token.known_email) as email
   ) said;
end;

comment on function private.said_by_token is
  'The address and when it was confirmed: what the claims email, email_confirmed_at and email_verified say, else what is stored.';
