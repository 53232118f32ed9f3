create or replace function private.origin_of(window_id uuid)
  returns uuid
  language sql
  stable
  security definer -- the API role may not read the table
  set search_path = ''
as $$
  select coalesce(
    (select o.origin_id from private.window_origins o where o.window_id = origin_of.window_id),
    origin_of.window_id
  )
$$;

comment on function private.origin_of is
  'The window that this one was a part of before exceptions cut it; itself, where none did.';
grant execute on function private.origin_of to parking_api;
