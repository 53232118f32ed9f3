/* The same job again, so that a receiver gets the same id: it knows what it has had already. */
create or replace function private.replay(
    webhook_id uuid,
    since bigint,
    event_id uuid,
    out deliveries integer,
    out "until" bigint
)
  language plpgsql
  security definer -- the API role has no access to the jobs and the log
  set search_path = ''
as $$
declare
  v_ids uuid[];
begin
  perform private.require_administrator();

  select array_agg(chosen.id), count(*), max(chosen.position)
    into v_ids, deliveries, "until"
    from (
      select e.id, e.position
        from parking.webhooks w
        join private.events e on e.type = any (w.types)
       where w.id = replay.webhook_id
         and w.enabled
         and e.position is not null
         and case
               when replay.event_id is not null then e.id = replay.event_id
               when replay.since is not null then e.position > replay.since
               else e.id = any (array(
                 select j.event_id
                   from private.jobs j
                  where j.kind = 'webhook'
                    and (j.data ->> 'webhook_id')::uuid = replay.webhook_id
                    and j.ended_at is not null
                    and j.failure is not null
               ))
             end
       order by e.position
       limit 5000
    ) chosen;

  update private.jobs j
     set run_at = clock_timestamp(),
         ended_at = null,
         failures = 0,
         failure = null
   where j.kind = 'webhook'
     and j.key = any (array(
       select concat_ws('/', replay.webhook_id, i.id) from unnest(v_ids) i (id)
     ))
     and (j.ended_at is not null or j.failures > 0); -- not of one that is about to be sent

  -- Events that were pruned, and events that were never sent.
  perform private.add_delivery(replay.webhook_id, i.id) from unnest(v_ids) i (id);
end;
$$;

comment on function private.replay is
  'Adds the deliveries of past events to a webhook that is on, or begins them anew, for administrators.';
grant execute on function private.replay to parking_api;

create or replace function api.replay_webhook(
    id uuid,
    since bigint default null,
    event_id uuid default null,
    out deliveries integer,
    out "until" bigint
)
  language plpgsql
  set search_path = ''
as $$
begin
  perform private.require_webhook(replay_webhook.id);

  select r.deliveries, r."until"
    into replay_webhook.deliveries, replay_webhook."until"
    from private.replay(replay_webhook.id, replay_webhook.since, replay_webhook.event_id) r;
end;
$$;

comment on function api.replay_webhook is
  'Send events again, with the ids that they had: those after a position, one, or, without either, all that were given up. Five thousand at most; `until` is the position of the last';
grant execute on function api.replay_webhook to parking_api;
