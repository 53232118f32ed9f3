create or replace function api.create_claim(
    availability_id uuid,
    start_time timestamptz,
    end_time timestamptz,
    guest text default null,
    vehicle text default null,
    claimer_id uuid default null,
    reason text default null
)
  returns parking.claims
  language plpgsql
  set search_path = ''
as $$
declare
  v_actor text; -- the claims of who acts for another
  v_claim parking.claims;
begin
  -- The token is parsed for the caller only where somebody is named.
  if create_claim.claimer_id is not null and create_claim.claimer_id <> private.caller_id() then
    v_actor := private.act_for(create_claim.claimer_id, create_claim.reason);
  end if;

  -- Nothing more is checked here: every rule about claims is in claims/rules/.
  insert into parking.claims
    (availability_id, spot_id, owner_id, start_time, end_time, guest, vehicle)
  select a.id, a.spot_id, a.owner_id, create_claim.start_time, create_claim.end_time,
         create_claim.guest, create_claim.vehicle
    from parking.availabilities a
   where a.id = create_claim.availability_id
  returning * into v_claim;

  if v_claim.id is null then
    perform private.refuse('claims_of_an_availability', '23503');
  end if;

  if v_actor is not null then
    perform private.stop_acting(v_actor, 'claims_for_others_by_staff');
  end if;
  return v_claim;
end;
$$;

comment on function api.create_claim is
  'Claim another''s window, or part of it; administrators and concierges also for a resident, with a reason that the resident and the owner read';
grant execute on function api.create_claim to parking_api;
