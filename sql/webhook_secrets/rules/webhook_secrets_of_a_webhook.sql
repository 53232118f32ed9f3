alter table private.webhook_secrets
  drop constraint if exists webhook_secrets_of_a_webhook,
  add constraint webhook_secrets_of_a_webhook
    foreign key (webhook_id)
    references parking.webhooks (id)
    on delete cascade;

comment on constraint webhook_secrets_of_a_webhook on private.webhook_secrets is
  E'@status 404\nWebhook not found';
