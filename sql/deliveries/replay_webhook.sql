create or replace function api.replay_webhook(
    id uuid,
    since bigint default null,
    event_id uuid default null,
    out deliveries integer,
    out "until" bigint
)
  language plpgsql
  volatile
  security invoker
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
