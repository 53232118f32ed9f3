/* Calendar apps send no token: who knows the secret in its address reads a person's calendar. */
create table if not exists parking.calendar_feeds (
  person_id uuid default private.caller_id(),
  secret_hash bytea not null,
  language text not null default 'en',
  created_at timestamptz(3) not null default now(),
  constraint calendar_feeds_pkey primary key (person_id),
  constraint calendar_feeds_secret_hash_key unique (secret_hash)
);

comment on table parking.calendar_feeds is
  E'@absent Calendar feed not found\nThe secret address at which calendar apps read a resident''s calendar. Nobody has two.';
comment on column parking.calendar_feeds.person_id is
  'Whose calendar it is.';
comment on column parking.calendar_feeds.secret_hash is
  'The SHA-256 of the secret in the address. The secret itself is kept nowhere.';
comment on column parking.calendar_feeds.language is
  'The language of the calendar''s texts.';
comment on column parking.calendar_feeds.created_at is
  'When the address was made.';
