create or replace function private.lock_spots_of_exception(id uuid)
  returns void
  language plpgsql
  volatile
  security invoker -- the policies show the caller their own exceptions
  set search_path = ''
as $$
begin
  perform private.lock_own_spots(e.spot_id)
     from parking.exceptions e
    where e.id = lock_spots_of_exception.id;
end;
$$;

comment on function private.lock_spots_of_exception is
  'Locks the spots of an exception of the caller before it is undone.';
grant execute on function private.lock_spots_of_exception to parking_api;
