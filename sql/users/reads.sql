create or replace function private.own_user()
  returns setof private.users
  language sql
  stable
  security definer -- the API role has no access to private.users; this shows the caller's own row
  set search_path = ''
  rows 1
as $$
  select u.*
    from private.users u
   where u.id = (select private.caller_id())
$$;

comment on function private.own_user is
  'The sign-in data of the caller; no row before registration.';
grant execute on function private.own_user to parking_api;

create or replace function private.said_by_token(known_email text, known_confirmed_at timestamptz)
  returns table (email text, email_confirmed_at timestamptz)
  language sql
  stable
  parallel safe
  rows 1
begin atomic
  -- A claim that the token does not have leaves the stored value.
  select
      coalesce(said.email, said_by_token.known_email),
      coalesce(
        -- A token confirms its own address. One without an address, or with one that the service does not
        -- take, is about another than the stored one.
        case when said.email is not null then (t.claims ->> 'email_confirmed_at')::timestamptz(3) end,
        case
          when coalesce(said.email, said_by_token.known_email) = said_by_token.known_email
            then said_by_token.known_confirmed_at
        end,
        case when said.email is not null and t.claims -> 'email_verified' = 'true'::jsonb then now() end
      )
    from (select private.token_claims() as claims offset 0) t -- parsed once
   cross join lateral (
     select t.claims ->> 'email' as email
   ) said;
end;

comment on function private.said_by_token is
  'The address and when it was confirmed: what the claims email, and with it email_confirmed_at and email_verified, say, else what is stored.';
