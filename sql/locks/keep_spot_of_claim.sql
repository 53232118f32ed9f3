/*
 * The first statement of what changes a claim: the spot before the claim, as its deletion locks them. What is
 * freed may be published anew, one after the other (private.reconcile).
 */
create or replace function private.keep_spot_of_claim(id uuid)
  returns void
  language plpgsql
  volatile
  security definer -- the spot belongs to another resident; the policies check who may act
  set search_path = ''
as $$
declare
  v_owner_id uuid;
  v_spot_id uuid;
begin
  select c.owner_id, c.spot_id into v_owner_id, v_spot_id
    from parking.claims c
   where c.id = keep_spot_of_claim.id
     and (select private.is_approved());

  -- The owner first, people before spots: a suspension under way ends before a claim is extended.
  perform from parking.profiles p where p.id = v_owner_id for share;
  perform from parking.spots s where s.id = v_spot_id for no key update;
end;
$$;

comment on function private.keep_spot_of_claim is
  'Locks the spot of the claim with this id, and keeps its owner from being suspended, until the transaction ends. For an approved caller.';
grant execute on function private.keep_spot_of_claim to parking_api;
