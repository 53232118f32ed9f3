/* One step of the job, in the name of the owner: nothing is published that the owner could not publish. */
create or replace function private.extend_pattern(id uuid, owner_id uuid)
  returns integer
  language plpgsql
  volatile
  security invoker -- the limits of the building bind what is published
  set search_path = ''
as $$
declare
  v_is_of_another_zone boolean;
  v_published integer := 0;
begin
  perform set_config(
    'request.jwt.claims', jsonb_build_object('sub', extend_pattern.owner_id)::text, true
  );
  perform private.lock_spot_of_pattern(extend_pattern.id);

  select p.time_zone <> (private.building()).time_zone into v_is_of_another_zone
    from parking.patterns p
   where p.id = extend_pattern.id;

  if v_is_of_another_zone then
    select count(*) filter (where r.outcome = 'published') into v_published
      from private.renew_pattern(extend_pattern.id) r;
  elsif not v_is_of_another_zone then
    select count(*) filter (where p.outcome = 'published') into v_published
      from private.publish_pattern(extend_pattern.id) p;
  end if;
  return v_published; -- none, where it was deleted meanwhile
end;
$$;

comment on function private.extend_pattern is
  'Publishes what is due of a pattern, as its owner, and returns the number of windows.';
grant execute on function private.extend_pattern to parking_api;
