/* A concierge does not see the claims of residents, but knows which they made. */
create or replace function private.claimer_of_made(id uuid)
  returns uuid
  language sql
  stable
  security definer -- reads past the policies, and returns only for whom the caller made the claim
  set search_path = ''
return (
  select c.claimer_id
    from parking.claims c
   where c.id = claimer_of_made.id
     and c.made_by = (select private.caller_id())
     and (select private.is_staff())
);

comment on function private.claimer_of_made is
  'For whom the caller, of the staff, made the claim with this id; null where somebody else made it.';
grant execute on function private.claimer_of_made to parking_api;

create or replace function api.cancel_claim(id uuid, status text, reason text)
  returns parking.claims
  language plpgsql
  set search_path = ''
as $$
declare
  v_actor text; -- the claims of a concierge
  v_claimer_id uuid;
  v_claim parking.claims;
begin
  perform private.keep_spot_of_claim(cancel_claim.id);
  if not private.is_administrator() then
    v_claimer_id := private.claimer_of_made(cancel_claim.id);
  end if;
  if v_claimer_id is null then
    perform private.require_administrator();
    perform private.give_reason(cancel_claim.reason);
  else
    v_actor := private.act_for(v_claimer_id, cancel_claim.reason);
  end if;

  update parking.claims c
     set status = cancel_claim.status
   where c.id = cancel_claim.id
  returning * into v_claim;

  if not found then
    perform private.refuse_unchanged('claims');
  end if;

  if v_actor is not null then
    perform private.stop_acting(v_actor, 'administrator_required');
  end if;
  return v_claim;
end;
$$;

comment on function api.cancel_claim is
  'Cancel a resident''s claim, also one that was completed before its end, with a reason that both sides read; a concierge one that they made';
grant execute on function api.cancel_claim to parking_api;
