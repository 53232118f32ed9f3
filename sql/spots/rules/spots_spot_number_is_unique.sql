-- Unicode's canonical caseless match: the two ways to write an accented letter are one number too.
create unique index if not exists spots_spot_number_is_unique
  on parking.spots (
    normalize(casefold(normalize(spot_number, nfd) collate pg_unicode_fast), nfd)
  );

comment on index parking.spots_spot_number_is_unique is
  'A parking spot with this number already exists';
