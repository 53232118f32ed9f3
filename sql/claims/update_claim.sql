create or replace function api.update_claim(
    id uuid,
    status text default null,
    start_time timestamptz default null,
    end_time timestamptz default null,
    guest text default null,
    vehicle text default null
)
  returns parking.claims
  language plpgsql
  set search_path = ''
as $$
declare
  v_claim parking.claims;
begin
  perform private.keep_spot_of_claim(update_claim.id);

  -- Null leaves a field as it is; an empty text clears one that may be absent. Most change the status alone,
  -- few say who parks: what a statement does not name costs no trigger.
  if num_nonnulls(update_claim.guest, update_claim.vehicle) > 0 then
    update parking.claims c
       set status = coalesce(update_claim.status, c.status),
           start_time = coalesce(update_claim.start_time, c.start_time),
           end_time = coalesce(update_claim.end_time, c.end_time),
           guest = nullif(coalesce(update_claim.guest, c.guest), ''),
           vehicle = nullif(coalesce(update_claim.vehicle, c.vehicle), '')
     where c.id = update_claim.id
    returning * into v_claim;
  elsif num_nonnulls(update_claim.start_time, update_claim.end_time) > 0 then
    update parking.claims c
       set status = coalesce(update_claim.status, c.status),
           start_time = coalesce(update_claim.start_time, c.start_time),
           end_time = coalesce(update_claim.end_time, c.end_time)
     where c.id = update_claim.id
    returning * into v_claim;
  elsif update_claim.status is not null then
    update parking.claims c
       set status = update_claim.status
     where c.id = update_claim.id
    returning * into v_claim;
  else
    select c.* into v_claim
      from parking.claims c
     where c.id = update_claim.id
       and c.claimer_id = (select private.caller_id());
  end if;

  if not found then
    perform private.refuse_unchanged('claims', 'claims_updated_by_claimer', private.claim_exists(update_claim.id));
  end if;

  -- The trigger does not see whether an unchanged time was sent or left out.
  if v_claim.status <> 'active'
    and num_nonnulls(update_claim.start_time, update_claim.end_time) > 0
  then
    perform private.refuse('claims_close_with_their_times', '23514');
  end if;

  return v_claim;
end;
$$;

comment on function api.update_claim is
  'Complete or cancel your active claim, move its times, or say who parks; null clears guest and vehicle';
grant execute on function api.update_claim to parking_api;
