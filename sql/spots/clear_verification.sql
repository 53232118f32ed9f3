/* The verification was of the old facts. */
create or replace function private.clear_verification()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.is_verified := false;
  return new;
end;
$$;

comment on function private.clear_verification is
  'Trigger function: a spot whose number or section changed is not verified.';
