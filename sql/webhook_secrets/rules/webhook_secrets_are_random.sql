alter table private.webhook_secrets
  drop constraint if exists webhook_secrets_are_random,
  add constraint webhook_secrets_are_random
    check (secret ~ '^whsec_[A-Za-z0-9+/]{43}=$');

comment on constraint webhook_secrets_are_random on private.webhook_secrets is
  'A secret must be whsec_ and 32 bytes in base64';
