/*
 * The service signs with them, so a hash would not do. They have a table of their own, which nobody but
 * functions reads: no list of webhooks, and no reporting tool, shows one.
 */
create table if not exists private.webhook_secrets (
  webhook_id uuid,
  secret text,
  created_at timestamptz(3) not null default clock_timestamp(),
  expires_at timestamptz(3),
  constraint webhook_secrets_pkey primary key (webhook_id, secret)
);

comment on table private.webhook_secrets is
  'What signs the deliveries of a webhook.';
comment on column private.webhook_secrets.webhook_id is
  'The webhook.';
comment on column private.webhook_secrets.secret is
  'whsec_ and 32 bytes in base64, as Standard Webhooks writes it.';
comment on column private.webhook_secrets.created_at is
  'When it was made.';
comment on column private.webhook_secrets.expires_at is
  'Until when one that was replaced signs. Null: the one that signs now.';

alter table private.webhook_secrets enable row level security;
-- No policy and no grant: only functions write and read it.
