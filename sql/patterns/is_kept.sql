/* Where publishing asks for the exceptions of owners. */
create or replace function private.is_kept(
    spot_id uuid,
    start_time timestamptz,
    end_time timestamptz
)
  returns boolean
  language sql
  stable
return false;

comment on function private.is_kept is
  'Whether the owner of the spot keeps it for themselves in a part of this time.';
grant execute on function private.is_kept to parking_api;
