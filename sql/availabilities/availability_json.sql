/* The Availability of the interface (specification, Resources). */
create or replace function private.availability_json(a parking.availabilities)
  returns jsonb
  language sql
  stable
  parallel safe
return jsonb_build_object(
  'id', a.id,
  'spot_id', a.spot_id,
  'start_time', private.iso8601(a.start_time),
  'end_time', private.iso8601(a.end_time),
  'is_claimed', a.is_claimed,
  'created_at', private.iso8601(a.created_at),
  'updated_at', private.iso8601(a.updated_at)
);

comment on function private.availability_json is
  'An availability as clients see it.';
