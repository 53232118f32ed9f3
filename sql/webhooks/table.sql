create table if not exists parking.webhooks (
  id uuid default uuidv7(),
  url text not null,
  types text[] not null,
  format text not null default 'event',
  enabled boolean not null default true,
  failing_since timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint webhooks_pkey primary key (id)
);

comment on table parking.webhooks is
  E'@absent Webhook not found\nAn address to which events are sent, as Standard Webhooks describes.';
comment on column parking.webhooks.id is
  'Identifies the webhook.';
comment on column parking.webhooks.url is
  'Where events are posted: https, port 443 or one from 1024 on, an address of the public Internet.';
comment on column parking.webhooks.types is
  'The types of the events that are sent.';
comment on column parking.webhooks.format is
  'event: type, timestamp and data; chat: a text, as Slack and Mattermost take it; teams: a card, as a workflow of Teams takes it.';
comment on column parking.webhooks.enabled is
  'Whether events are sent. Turned off where the receiver answers 410, or has failed for five days.';
comment on column parking.webhooks.failing_since is
  'When the first delivery failed since the last one that succeeded.';
comment on column parking.webhooks.created_at is
  'When it was made.';
comment on column parking.webhooks.updated_at is
  'When an administrator last changed it.';

create index if not exists webhooks_created_at_id_idx
  on parking.webhooks (created_at desc, id);

create or replace trigger touch
  before update on parking.webhooks
  for each row
  -- Not of what a delivery notes.
  when (
    (new.url, new.types, new.format, new.enabled)
      is distinct from
      (old.url, old.types, old.format, old.enabled)
  )
  execute function private.touch();

-- Only administrators see, make, change and delete webhooks: administrator_required.
alter table parking.webhooks enable row level security;

drop policy if exists all_of_administrators on parking.webhooks;
create policy all_of_administrators on parking.webhooks
  to parking_api
  using (true)
  with check (true);

grant select, delete on parking.webhooks to parking_api;
-- No insert and no update of failing_since: deliveries note it.
grant insert (url, types, format, enabled) on parking.webhooks to parking_api;
grant update (url, types, format, enabled) on parking.webhooks to parking_api;
