/* One step of the job, in the name of the owner: nothing is published that the owner could not publish. */
create or replace function private.extend_pattern(id uuid, owner_id uuid)
  returns integer
  language plpgsql
  volatile
  security invoker -- the limits of the building bind what is published
  set search_path = ''
as $$
begin
  perform private.require_service();
  perform set_config(
    'request.jwt.claims', jsonb_build_object('sub', extend_pattern.owner_id)::text, true
  );
  perform private.lock_own_spots();
  -- Said again, it is published as far as it is to be by now.
  update parking.patterns p set weekdays = p.weekdays where p.id = extend_pattern.id;
  return (
    select count(*)
      from parking.patterns p
      join parking.availabilities a on a.spot_id = p.spot_id and a.source_id is not null
     where p.id = extend_pattern.id
       and a.created_at >= now()::timestamptz(3)
  );
end;
$$;

comment on function private.extend_pattern is
  'Publishes what is due of the spot of a pattern, as its owner, and returns the number of windows.';
grant execute on function private.extend_pattern to parking_api;
