/*
 * A claim and the deletion of its spot wait for each other. Claims of one spot do not: those of one window do
 * (private.take_time).
 */
create or replace function private.keep_spot()
  returns trigger
  language plpgsql
  security definer -- the spot belongs to another resident
  set search_path = ''
as $$
begin
  perform
     from parking.spots s
    where s.id = new.spot_id
      and s.retired_at is null
      for key share;
  perform private.require_spot(found or new.spot_id is null, 'claims_of_an_availability');
  return new;
end;
$$;

comment on function private.keep_spot is
  'Trigger function: keeps the spot of a new claim from being deleted until the transaction ends.';

create or replace trigger keep_spot
  before insert on parking.claims
  for each row
  execute function private.keep_spot();
