/* The first statement of what changes a claim: the spot before the claim, as its deletion locks them. */
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
  v_cuts boolean;
begin
  select c.owner_id, c.spot_id into v_owner_id, v_spot_id
    from parking.claims c
   where c.id = keep_spot_of_claim.id
     and (select private.is_approved());

  -- The owner first, people before spots: a suspension under way ends before a claim is extended.
  perform from parking.profiles p where p.id = v_owner_id for share;
  perform from parking.spots s where s.id = v_spot_id for key share;

  -- Where the owner needs spots, freed windows are withdrawn, one after the other. Asked when an
  -- exception that is being made has ended.
  select a.part_of is not null
           or b.rest_stays_on_offer
           or exists (
             select
               from parking.exceptions e
              where e.owner_id = v_owner_id
                and e.kind = 'keep'
                and e.end_time > now()
           )
    into v_cuts
    from parking.claims c
    join parking.availabilities a on a.id = c.availability_id
   cross join parking.building b
   where c.id = keep_spot_of_claim.id;

  if v_cuts then -- as in private.keep_spot
    perform from parking.spots s where s.id = v_spot_id for no key update;
  end if;
end;
$$;

comment on function private.keep_spot_of_claim is
  'Keeps the spot of the claim with this id from being deleted, and its owner from being suspended, until the transaction ends. For an approved caller.';
grant execute on function private.keep_spot_of_claim to parking_api;
