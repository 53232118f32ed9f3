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
begin
  perform set_config('parking.tidying', 'on', true); -- nobody needs to read of it

  if exists (select from parking.claims c where c.availability_id = withdraw_window.id) then
    select least(min(o.start_time), date_trunc('milliseconds', clock_timestamp()))
             - interval '1 millisecond'
      into v_end
      from parking.availabilities a
      join parking.availabilities o on o.spot_id = a.spot_id
     where a.id = withdraw_window.id;
    update parking.availabilities a
       set start_time = v_end - interval '1 millisecond',
           end_time = v_end,
           pattern_id = null,
           part_of = null
     where a.id = withdraw_window.id;
  else
    delete from parking.availabilities a
     where a.id = withdraw_window.id;
  end if;

  perform set_config('parking.tidying', 'off', true);
end;
$$;

comment on function private.withdraw_window is
  'Takes a window that nobody holds off the offer: deletes it, or where claims of it were cancelled, moves it into the past, as short as can be.';
