/* The first statement of what changes a pattern: the spot before the pattern and its windows, as its deletion locks them. */
create or replace function private.lock_spot_of_pattern(id uuid)
  returns void
  language plpgsql
  volatile
  security invoker -- residents may lock their own spots
  set search_path = ''
as $$
begin
  perform
     from parking.spots s
    where s.id = (select p.spot_id from parking.patterns p where p.id = lock_spot_of_pattern.id)
      for no key update;

  if found then
    perform private.lock_plans();
  end if;
end;
$$;

comment on function private.lock_spot_of_pattern is
  'Locks the spot of the caller''s pattern with this id.';
grant execute on function private.lock_spot_of_pattern to parking_api;
