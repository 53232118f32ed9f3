create or replace function api.get_claim(id uuid)
  returns setof parking.claims
  language sql
  stable
  security invoker
  rows 1
as $$
  select c.*
    from parking.claims c
   where c.id = get_claim.id
$$;

comment on function api.get_claim is
  'One claim, for its parties and administrators';
grant execute on function api.get_claim to parking_api;
