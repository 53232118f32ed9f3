/* Numbers copied from an address book contain marks of direction, and other blanks and hyphens. */
create or replace function private.clean_phone_number()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.phone_number := btrim(
    regexp_replace(
      regexp_replace(
        regexp_replace(new.phone_number, '[\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]', '', 'g'),
        '[\u2010-\u2015\u2212]', '-', 'g'
      ),
      '[\t\u00a0\u2000-\u200a\u202f\u205f\u3000]', ' ', 'g'
    )
  );
  return new;
end;
$$;

comment on function private.clean_phone_number is
  'Trigger function: takes out of a phone number what nobody sees, and makes its blanks spaces and its dashes hyphens.';

create or replace trigger clean_phone_number
  before insert or update of phone_number on parking.profiles
  for each row
  execute function private.clean_phone_number();
