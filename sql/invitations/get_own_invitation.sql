create or replace function api.get_own_invitation()
  returns setof parking.invitations
  language sql
  stable
  security invoker
  rows 1
as $$
  select i.*
    from private.caller_invitation() i
$$;

comment on function api.get_own_invitation is
  'What an administrator wrote in the open invitation to your confirmed address, to register with it; null where there is none';
grant execute on function api.get_own_invitation to parking_api;
