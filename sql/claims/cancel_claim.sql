create or replace function api.cancel_claim(id uuid, status text, reason text)
  returns parking.claims
  language plpgsql
  set search_path = ''
as $$
declare
  v_claim parking.claims;
begin
  perform private.keep_spot_of_claim(cancel_claim.id);
  perform private.require_administrator();
  perform private.give_reason(cancel_claim.reason);

  update parking.claims c
     set status = cancel_claim.status
   where c.id = cancel_claim.id
  returning * into v_claim;

  if not found then
    perform private.refuse_unchanged('claims');
  end if;

  return v_claim;
end;
$$;

comment on function api.cancel_claim is
  'Cancel a resident''s claim, also one that was completed before its end, with a reason that both sides read';
grant execute on function api.cancel_claim to parking_api;
