-- Numbers that differ in case or in form only (full-width, superscript, composed accent) are the same.
create unique index if not exists spots_spot_number_is_unique
  on parking.spots (
    normalize(casefold(normalize(spot_number, nfkc) collate pg_unicode_fast), nfkc)
  );

comment on index parking.spots_spot_number_is_unique is
  'A parking spot with this number already exists';
