-- The view reads jobs and the log as its owner, because nobody else does: its conditions are the policy.
create or replace view parking.deliveries
  with (security_barrier)
as
  select j.id,
         (j.data ->> 'webhook_id')::uuid as webhook_id,
         j.event_id,
         coalesce(e.type, 'webhook.test') as type,
         e.position,
         case
           when j.ended_at is null and j.failures = 0 then 'waiting'
           when j.ended_at is null then 'failing'
           when j.failure is null then 'delivered'
           else 'given_up'
         end as state,
         j.attempts,
         j.failure,
         case when j.ended_at is null then j.run_at end as next_attempt_at,
         j.ended_at,
         j.created_at
    from private.jobs j
    left join only private.events e on e.id = j.event_id
   where j.kind = 'webhook'
     and (select private.is_administrator());

-- In the order of the list of one webhook.
create index if not exists jobs_of_webhook_idx
  on private.jobs (((data ->> 'webhook_id')::uuid), created_at desc, id)
  where kind = 'webhook';

comment on index private.jobs_of_webhook_idx is
  'Lists the deliveries of a webhook.';
comment on view parking.deliveries is
  'An event that was sent to a webhook, or will be.';
comment on column parking.deliveries.id is
  'Identifies the delivery. The header webhook-id of a test has it.';
comment on column parking.deliveries.webhook_id is
  'The webhook.';
comment on column parking.deliveries.event_id is
  'The event, and what the header webhook-id has at each attempt; null for a test.';
comment on column parking.deliveries.type is
  'The type of the event, or webhook.test.';
comment on column parking.deliveries.position is
  'The place of the event in the order of all events.';
comment on column parking.deliveries.state is
  'waiting for its first attempt, or a new one; failing, and tried again; delivered; given_up.';
comment on column parking.deliveries.attempts is
  'How often it was sent.';
comment on column parking.deliveries.failure is
  'Why the last attempt failed.';
comment on column parking.deliveries.next_attempt_at is
  'When it is sent again; while it is being sent, when another process would.';
comment on column parking.deliveries.ended_at is
  'When it was delivered or given up.';
comment on column parking.deliveries.created_at is
  'When it came up.';

grant select on parking.deliveries to parking_api;
