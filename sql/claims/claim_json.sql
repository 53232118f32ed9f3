/* The Claim of the interface (specification, Resources). */
create or replace function private.claim_json(c parking.claims)
  returns jsonb
  language sql
  stable
  parallel safe
return jsonb_build_object(
  'id', c.id,
  'availability_id', c.availability_id,
  'claimer_id', c.claimer_id,
  'start_time', private.iso8601(c.start_time),
  'end_time', private.iso8601(c.end_time),
  'status', c.status,
  'created_at', private.iso8601(c.created_at),
  'updated_at', private.iso8601(c.updated_at)
);

comment on function private.claim_json is
  'A claim as clients see it.';
