create or replace function private.is_held(availability_id uuid)
  returns boolean
  language plpgsql
  volatile -- the claims of this moment: who asks may have waited for one
  security definer -- the claims are those of others; it returns only whether there is one
  set search_path = ''
as $$
begin
  return exists (select from parking.claims c where c.holds = is_held.availability_id);
end;
$$;

comment on function private.is_held is
  'Whether an active or completed claim is of the window with this id.';
grant execute on function private.is_held to parking_api;
