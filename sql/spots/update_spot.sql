create or replace function api.update_spot(
    id uuid,
    spot_number text default null,
    building_section text default null,
    notes text default null
)
  returns parking.spots
  language plpgsql
  set search_path = ''
as $$
declare
  v_spot parking.spots;
begin
  perform private.require_approved();

  if num_nonnulls(update_spot.spot_number, update_spot.building_section, update_spot.notes) > 0 then
    -- Null leaves a field as it is; an empty text clears the notes.
    update parking.spots s
       set spot_number = coalesce(update_spot.spot_number, s.spot_number),
           building_section = coalesce(update_spot.building_section, s.building_section),
           notes = nullif(coalesce(update_spot.notes, s.notes), '')
     where s.id = update_spot.id
    returning * into v_spot;
  else
    select s.* into v_spot
      from parking.spots s
     where s.id = update_spot.id
       and s.owner_id = (select private.caller_id())
       and s.retired_at is null;
  end if;

  if v_spot.id is null then
    perform private.refuse_unchanged(
      'spots', 'spots_updated_by_owner',
      exists (select from api.get_spot(update_spot.id))
    );
  end if;

  return v_spot;
end;
$$;

comment on function api.update_spot is
  'Change your spot; with another number or section it is not verified any more';
grant execute on function api.update_spot to parking_api;
