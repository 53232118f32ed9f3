/* The first statement of what changes a claim: the spot before the claim, as its deletion locks them. */
create or replace function private.keep_spot_of_claim(id uuid)
  returns void
  language plpgsql
  volatile
  security definer -- the spot belongs to another resident; the policies check who may act
  set search_path = ''
as $$
declare
  v_claim parking.claims;
  v_is_kept boolean;
begin
  select c.* into v_claim
    from parking.claims c
   where c.id = keep_spot_of_claim.id
     and (select private.is_approved());

  -- The owner first, people before spots: a suspension under way ends before a claim is extended.
  perform from parking.profiles p where p.id = v_claim.owner_id for share;
  select exists (
           select
             from parking.exceptions e
            where e.owner_id = s.owner_id
              and e.kind = 'keep'
              and e.end_time > now()
         )
    into v_is_kept
    from parking.spots s
   where s.id = v_claim.spot_id
     for key share;

  -- Where the owner needs spots, freed windows are withdrawn, one after the other.
  if v_is_kept then
    perform from parking.spots s where s.id = v_claim.spot_id for no key update;
  end if;
end;
$$;

comment on function private.keep_spot_of_claim is
  'Keeps the spot of the claim with this id from being deleted, and its owner from being suspended, until the transaction ends. For an approved caller.';
grant execute on function private.keep_spot_of_claim to parking_api;
