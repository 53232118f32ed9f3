create or replace function private.spot_keys(spots jsonb)
  returns text[]
  language plpgsql
  immutable
  parallel safe
  set search_path = ''
as $$
begin
  return array(
    select private.number_key(s.spot_number)
      from json_table(spot_keys.spots, '$[*]' columns (spot_number text)) s
     where s.spot_number is not null
  );
end;
$$;

comment on function private.spot_keys is
  'What the numbers of invited spots are compared by.';
grant execute on function private.spot_keys to parking_api;
