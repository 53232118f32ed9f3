/*
 * A claim and the deletion of its spot wait for each other. Claims of one spot do not, unless the rest of
 * a window stays on offer: then each may cut and join what the others want.
 */
create or replace function private.keep_spot()
  returns trigger
  language plpgsql
  security definer -- the spot belongs to another resident
  set search_path = ''
as $$
declare
  v_cuts boolean;
begin
  select b.rest_stays_on_offer
           or not exists ( -- a piece, which the end of another claim joins, or has joined already
             select
               from parking.availabilities a
              where a.id = new.availability_id
                and a.part_of is null
           )
    into v_cuts
    from parking.spots s
   cross join parking.building b
   where s.id = new.spot_id
     and s.retired_at is null
     for key share of s;
  perform private.require_spot(found or new.spot_id is null, 'claims_of_an_availability');

  if v_cuts then
    perform from parking.spots s where s.id = new.spot_id for no key update;
    -- Another may have cut or joined the window meanwhile.
    new.availability_id := private.piece_for(new.availability_id, new.start_time, new.end_time);
  end if;
  return new;
end;
$$;

comment on function private.keep_spot is
  'Trigger function: keeps the spot of a new claim from being deleted until the transaction ends, and finds the piece of its window that has the time.';

create or replace trigger keep_spot
  before insert on parking.claims
  for each row
  execute function private.keep_spot();
