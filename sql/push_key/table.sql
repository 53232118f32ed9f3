/* Signs what is sent to push services (VAPID, RFC 8292). Browsers subscribe for this key, so it never changes. */
create table if not exists private.push_key (
  public_key text not null,
  private_key text not null
);

alter table private.push_key enable row level security;
-- No policy and no grant: only functions write and read it.

comment on table private.push_key is
  'The key pair that signs pushes: one row, of the first process that sent any. With another, no device gets anything until its owner opens the page there.';
comment on column private.push_key.public_key is
  'The public key, as the page gives it to browsers: an uncompressed point of P-256 in base64url.';
comment on column private.push_key.private_key is
  'The private key: 32 bytes in base64url.';

-- See private.new_events.
alter table private.push_key replica identity full;
