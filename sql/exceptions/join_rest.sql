create or replace function private.join_rest(window_id uuid, rest_id uuid)
  returns void
  language plpgsql
  volatile
  security invoker -- policies and constraints decide; this function adds no power
  set search_path = ''
as $$
declare
  v_rest parking.availabilities;
begin
  delete from parking.availabilities r
   using parking.availabilities a
   where a.id = join_rest.window_id
     and r.id = join_rest.rest_id
     and r.start_time = a.end_time
     and not a.is_claimed
     and not r.is_claimed
     -- Its cancelled claims would go with it.
     and not exists (select from parking.claims c where c.availability_id = r.id)
  returning r.* into v_rest;

  if found then
    update parking.availabilities a
       set end_time = v_rest.end_time
     where a.id = join_rest.window_id;
    perform private.note_restored(join_rest.rest_id, join_rest.window_id);
  end if;
end;
$$;

comment on function private.join_rest is
  'Makes one window again of the two that were left of it, where nothing lies between them and both are free.';
grant execute on function private.join_rest to parking_api;
