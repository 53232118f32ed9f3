create or replace function private.are_invited_spots(spots jsonb)
  returns boolean
  language plpgsql
  immutable
  parallel safe
  set search_path = ''
as $$
begin
  if jsonb_typeof(are_invited_spots.spots) is distinct from 'array' then
    return false;
  end if;

  return jsonb_array_length(are_invited_spots.spots) <= 20
    and not exists (
      select
        from jsonb_array_elements(are_invited_spots.spots) s
       where jsonb_typeof(s -> 'spot_number') is distinct from 'string'
          or jsonb_typeof(s -> 'building_section') is distinct from 'string'
          or not private.is_one_line(s ->> 'spot_number', 1, 32)
          or not private.is_one_line(s ->> 'building_section', 1, 100)
    );
end;
$$;

comment on function private.are_invited_spots is
  'Whether this is a list of at most 20 spots that could be registered.';
grant execute on function private.are_invited_spots to parking_api;

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

create or replace function api.get_invitation(id uuid)
  returns setof parking.invitations
  language sql
  stable
  rows 1
as $$
  select i.*
    from parking.invitations i
   where i.id = get_invitation.id
$$;

comment on function api.get_invitation is
  'One invitation';
grant execute on function api.get_invitation to parking_api;

create or replace function api.get_own_invitation()
  returns setof parking.invitations
  language sql
  stable
  rows 1
as $$
  select i.*
    from private.caller_invitation() i
$$;

comment on function api.get_own_invitation is
  'What an administrator wrote in the open invitation to your confirmed address, to register with it; null where there is none';
grant execute on function api.get_own_invitation to parking_api;

/* The pattern of <input type="email">, as HTML has it. Of an invitation that is over, it does not matter any more. */
create or replace function private.is_invited_email(email text, status text)
  returns boolean
  language plpgsql -- a body in SQL would be planned anew for each statement that checks it
  immutable
  strict
  parallel safe
  set search_path = ''
as $$
begin
  return status <> 'open'
    or email ~ (
      '^[a-zA-Z0-9.!#$%&''*+/=?^_`{|}~-]+'
      '@[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(\.[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$'
    );
end;
$$;

comment on function private.is_invited_email is
  'Whether this is one e-mail address and nothing else, as a field of type email takes it, or the invitation is over.';
grant execute on function private.is_invited_email to parking_api;

create or replace function api.list_invitations()
  returns setof parking.invitations
  language sql
  stable
as $$
  select i.*
    from parking.invitations i
$$;

comment on function api.list_invitations is
  'Whom administrators invited, newest first';
grant execute on function api.list_invitations to parking_api;
