create or replace function api.list_invitations()
  returns setof parking.invitations
  language sql
  stable
  security invoker
as $$
  select i.*
    from parking.invitations i
$$;

comment on function api.list_invitations is
  'Whom administrators invited, newest first';
grant execute on function api.list_invitations to parking_api;
