/* Whom an administrator expects, so that they need not type it once more. */
create or replace function private.caller_invitation()
  returns setof parking.invitations
  language sql
  stable
  security definer -- invitations are for administrators; this shows the one to the caller's confirmed address
  set search_path = ''
  rows 1
as $$
  select i.*
    from private.said_by_token(null, null) said
    join parking.invitations i on i.address = private.address_key(said.email)
   where said.email_confirmed_at is not null
     and i.status = 'open'
$$;

comment on function private.caller_invitation is
  'The open invitation to the address that the caller''s token confirms.';
grant execute on function private.caller_invitation to parking_api;
