/* The Profile of the interface (specification, Resources). */
create or replace function private.profile_json(p parking.profiles)
  returns jsonb
  language sql
  stable
  parallel safe
return jsonb_build_object(
  'id', p.id,
  'email', p.email,
  'full_name', p.full_name,
  'apartment_number', p.apartment_number,
  'phone_number', p.phone_number,
  'shares_phone_number', p.shares_phone_number,
  'is_approved', p.is_approved,
  'is_admin', p.is_admin,
  'created_at', private.iso8601(p.created_at),
  'updated_at', private.iso8601(p.updated_at)
);

comment on function private.profile_json is
  'A profile as the event log keeps it.';
