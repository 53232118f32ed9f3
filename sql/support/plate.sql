/* People write one plate in many ways. */
create or replace function private.plate(value text)
  returns text
  language plpgsql -- a body in SQL would be planned anew for each statement that checks it
  immutable
  strict
  parallel safe
  set search_path = ''
as $$
begin
  return regexp_replace(upper(normalize(value, nfkc)), '[ \u2010-\u2015\u2212-]', '', 'g');
end;
$$;

comment on function private.plate is
  'A plate as it is compared: without case, spaces and hyphens, and without forms such as full-width ones.';
grant execute on function private.plate to parking_api;
