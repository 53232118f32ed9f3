/*
 * A deleted window takes its cancelled claims along, and those are the history of residents. A window
 * that has such claims goes where nobody can claim it: before the first of its spot, beside no other.
 */
create or replace function private.withdraw_window(id uuid)
  returns void
  language plpgsql
  volatile
  security invoker -- a tool of functions with the rights of the owner: no grant to the API role
  set search_path = ''
as $$
declare
  v_end timestamptz;
  v_step interval := interval '1 millisecond';
begin
  perform set_config('parking.tidying', 'on', true); -- nobody needs to read of it

  if exists (select from parking.claims c where c.availability_id = withdraw_window.id) then
    select least(min(o.start_time), date_trunc('milliseconds', clock_timestamp()))
             - v_step
      into v_end
      from parking.availabilities a
      join parking.availabilities o on o.spot_id = a.spot_id
     where a.id = withdraw_window.id;
    loop
      begin
        update parking.availabilities a
           set start_time = v_end - interval '1 millisecond',
               end_time = v_end,
               pattern_id = null,
               part_of = null
         where a.id = withdraw_window.id;
        exit;
      exception
        when exclusion_violation then
          -- Put away since the snapshot of this transaction, which does not see it.
          v_end := v_end - v_step;
          v_step := 2 * v_step;
      end;
    end loop;
  else
    delete from parking.availabilities a
     where a.id = withdraw_window.id;
  end if;

  perform set_config('parking.tidying', 'off', true);
end;
$$;

comment on function private.withdraw_window is
  'Takes a window that nobody holds off the offer: deletes it, or where claims of it were cancelled, moves it into the past, as short as can be.';
