-- Numbers that differ in case or in form only (full-width, superscript, composed accent) are the same.
-- So are those with another hyphen or dash, which editors put in by themselves.
create unique index if not exists spots_spot_number_is_unique
  on parking.spots (
    regexp_replace(
      normalize(casefold(normalize(spot_number, nfkc) collate pg_unicode_fast), nfkc),
      '[\u2010-\u2015\u2212]', '-', 'g'
    )
  );

comment on index parking.spots_spot_number_is_unique is
  'A parking spot with this number already exists';
