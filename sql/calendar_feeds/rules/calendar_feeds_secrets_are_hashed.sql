alter table parking.calendar_feeds
  drop constraint if exists calendar_feeds_secrets_are_hashed,
  add constraint calendar_feeds_secrets_are_hashed
    check (octet_length(secret_hash) = 32);

comment on constraint calendar_feeds_secrets_are_hashed on parking.calendar_feeds is
  E'@de Diese Adresse taugt nicht für einen Kalender.\nThe secret of a calendar feed is kept as its SHA-256';
