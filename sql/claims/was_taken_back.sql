/* Who claims a time, takes it back, and claims it again within the grace each time would hold it for ever. */
create or replace function private.was_taken_back(claim parking.claims)
  returns boolean
  language sql
  stable
  security definer -- the API role may not read the events, and a deleted claim is nowhere else
  set search_path = ''
as $$
  select claim.claimer_id = private.caller_id() -- of others nobody learns it
     and (
       exists (
         select
           from parking.claims c
          where c.claimer_id = claim.claimer_id
            and c.spot_id = claim.spot_id
            and c.status = 'cancelled'
            and c.start_time < claim.end_time
            and c.end_time > claim.start_time
       )
       or exists (
         select
           from private.events e
           left join parking.availabilities a on a.id = (e.data ->> 'availability_id')::uuid
          where e.type = 'claim.deleted'
            -- As events_of_deleted_idx has it.
            and coalesce(e.data ->> 'claimer_id', e.data ->> 'owner_id')::uuid = claim.claimer_id
            and (e.data ->> 'start_time')::timestamptz < claim.end_time
            and (e.data ->> 'end_time')::timestamptz > claim.start_time
            -- A window that is gone, or was joined with another, may have been of this spot.
            and coalesce(a.spot_id, claim.spot_id) = claim.spot_id
       )
     )
$$;

comment on function private.was_taken_back is
  'Whether the caller, whose claim this is, has cancelled or deleted a claim of some of the same time of the same spot before.';
grant execute on function private.was_taken_back to parking_api;
