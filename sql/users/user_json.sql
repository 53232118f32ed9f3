/* The User of the interface (specification, Resources). */
create or replace function private.user_json(u private.users)
  returns json
  language sql
  stable
  parallel safe
return json_build_object(
  'id', u.id,
  'email', u.email,
  'email_confirmed_at', private.iso8601(u.email_confirmed_at),
  'created_at', private.iso8601(u.created_at),
  'updated_at', private.iso8601(u.updated_at)
);

comment on function private.user_json is
  'A user as clients see it.';
grant execute on function private.user_json to parking_api;
