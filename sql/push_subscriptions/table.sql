/* A browser that gets messages at once, through its push service (RFC 8030). */
create table if not exists parking.push_subscriptions (
  id uuid default uuidv7(),
  person_id uuid not null default private.caller_id(),
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  created_at timestamptz(3) not null default now(),
  constraint push_subscriptions_pkey primary key (id),
  constraint push_subscriptions_endpoint_key unique (endpoint)
);

create index if not exists push_subscriptions_person_id_created_at_idx
  on parking.push_subscriptions (person_id, created_at desc, id);

comment on table parking.push_subscriptions is
  E'@absent Push subscription not found\nA device of a resident that gets messages at once (Web Push).';
comment on column parking.push_subscriptions.id is
  'Identifies the subscription.';
comment on column parking.push_subscriptions.person_id is
  'Whose device it is.';
comment on column parking.push_subscriptions.endpoint is
  'Where the messages go: an address of the browser''s push service, which the browser made.';
comment on column parking.push_subscriptions.p256dh is
  'The public key of the browser, in base64url: an uncompressed point of P-256 (RFC 8291).';
comment on column parking.push_subscriptions.auth is
  'The secret that the browser shares with the service, in base64url: 16 bytes (RFC 8291).';
comment on column parking.push_subscriptions.created_at is
  'When it was made.';

/* People see and change their own devices, also before they are approved: the message about it is one. */
alter table parking.push_subscriptions enable row level security;

drop policy if exists own on parking.push_subscriptions;
create policy own on parking.push_subscriptions
  to parking_api
  using (person_id = (select private.caller_id()));

-- No select of the keys: private.get_push alone reads them.
grant select (id, person_id, endpoint, created_at), delete on parking.push_subscriptions to parking_api;
-- No update: a browser makes another one instead.
grant insert (person_id, endpoint, p256dh, auth) on parking.push_subscriptions to parking_api;
