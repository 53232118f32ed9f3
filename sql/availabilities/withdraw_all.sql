/* There may be hundreds: those without claims go in one statement. */
create or replace function private.withdraw_all(ids uuid[])
  returns void
  language plpgsql
  volatile
  security invoker -- a tool of functions with the rights of the owner: no grant to the API role
  set search_path = ''
as $$
declare
  v_kept constant uuid[] := array(
    select distinct c.availability_id
      from parking.claims c
     where c.availability_id = any (withdraw_all.ids)
  );
begin
  perform private.withdraw_window(k.id) from unnest(v_kept) k (id);

  perform set_config('parking.tidying', 'on', true); -- nobody needs to read of it
  delete from parking.availabilities a
   where a.id = any (withdraw_all.ids)
     and a.id <> all (v_kept);
  perform set_config('parking.tidying', 'off', true);
end;
$$;

comment on function private.withdraw_all is
  'Takes windows that nobody holds off the offer, as private.withdraw_window does each.';
