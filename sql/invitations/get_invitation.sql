create or replace function api.get_invitation(id uuid)
  returns setof parking.invitations
  language sql
  stable
  security invoker
  rows 1
as $$
  select i.*
    from parking.invitations i
   where i.id = get_invitation.id
$$;

comment on function api.get_invitation is
  'One invitation';
grant execute on function api.get_invitation to parking_api;
