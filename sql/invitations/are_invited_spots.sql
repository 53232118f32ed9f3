create or replace function private.are_invited_spots(spots jsonb)
  returns boolean
  language plpgsql
  immutable
  parallel safe
  set search_path = ''
as $$
begin
  if jsonb_typeof(are_invited_spots.spots) is distinct from 'array' then
    return false;
  end if;

  return jsonb_array_length(are_invited_spots.spots) <= 20
    and not exists (
      select
        from jsonb_array_elements(are_invited_spots.spots) s
       where jsonb_typeof(s -> 'spot_number') is distinct from 'string'
          or jsonb_typeof(s -> 'building_section') is distinct from 'string'
          or not private.is_one_line(s ->> 'spot_number', 1, 32)
          or not private.is_one_line(s ->> 'building_section', 1, 100)
    );
end;
$$;

comment on function private.are_invited_spots is
  'Whether this is a list of at most 20 spots that could be registered.';
grant execute on function private.are_invited_spots to parking_api;
