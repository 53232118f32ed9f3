/* The Spot of the interface (specification, Resources). */
create or replace function private.spot_json(s parking.spots)
  returns jsonb
  language sql
  stable
  parallel safe
return jsonb_build_object(
  'id', s.id,
  'spot_number', s.spot_number,
  'owner_id', s.owner_id,
  'building_section', s.building_section,
  'is_verified', s.is_verified,
  'created_at', private.iso8601(s.created_at),
  'updated_at', private.iso8601(s.updated_at)
);

comment on function private.spot_json is
  'A spot as clients see it.';
