/* People write one plate in many ways. */
create or replace function private.plate(value text)
  returns text
  language plpgsql -- a body in SQL would be planned anew for each statement that checks it
  immutable
  strict
  parallel safe
  set search_path = ''
as $$
declare
  v_plate constant text := upper(normalize(value, nfkc));
begin
  return coalesce(
    nullif(regexp_replace(v_plate collate pg_unicode_fast, '[^[:alnum:]]', '', 'g'), ''),
    regexp_replace(v_plate, '[ \u2010-\u2015\u2212-]', '', 'g') -- a picture of a car
  );
end;
$$;

comment on function private.plate is
  'A plate as it is compared: its letters and digits alone, without case and forms such as full-width ones.';
grant execute on function private.plate to parking_api;
