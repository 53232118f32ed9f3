create or replace view reporting.events as
  select e.id,
         e.type,
         e.subject_id,
         e.actor_id,
         e.occurred_at
    from private.events e
   where e.type <> 'notification.created';

comment on view reporting.events is
  'One row for each thing that happened to a profile, spot, availability or claim.';
comment on column reporting.events.id is
  'The event; ids grow with time.';
comment on column reporting.events.type is
  'What happened, as <thing>.<participle>, such as claim.cancelled.';
comment on column reporting.events.subject_id is
  'The profile, spot, availability or claim it happened to; it may since be deleted.';
comment on column reporting.events.actor_id is
  'The account that did it; null for the owner of the database.';
comment on column reporting.events.occurred_at is
  'When it happened.';
grant select on reporting.events to parking_reporter;
