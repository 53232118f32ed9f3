create or replace function api.get_claim(id uuid)
  returns json
  language plpgsql
  stable
  security invoker
  set search_path = ''
as $$
declare
  v_claim parking.claims;
begin
  perform private.require_approved();

  select c.* into v_claim
    from parking.claims c
   where c.id = get_claim.id;

  if not found then
    perform private.refuse_absent('claims');
  end if;

  return json_build_object('claim', private.claim_json(v_claim));
end;
$$;

comment on function api.get_claim is
  'One claim, for its parties and administrators';
grant execute on function api.get_claim to parking_api;
