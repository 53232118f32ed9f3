create or replace function private.message_lane(channel text, recipient_id uuid)
  returns text
  language sql
  immutable
return case message_lane.channel when 'mail' then 'mail' else 'push:' || message_lane.recipient_id end;

comment on function private.message_lane is
  'The lane of the messages to a person: that of all mails, or the person''s own for pushes.';

/* A mail is one job. A push is one for each device, which are tried apart; those of a person wait for nobody else's. */
create or replace function private.add_message(
    channel text,
    key text,
    data jsonb,
    run_at timestamptz default now()
)
  returns void
  language sql
  security invoker -- for functions that may: no grant to the API role
  set search_path = ''
begin atomic
  select private.add_job('mail', add_message.key, add_message.data, add_message.run_at)
   where add_message.channel = 'mail';
  select private.add_job(
           'push',
           concat_ws('.', add_message.key, s.id),
           add_message.data || jsonb_build_object('subscription_id', s.id),
           add_message.run_at,
           lane => private.message_lane('push', s.person_id)
         )
    from parking.push_subscriptions s
   where add_message.channel = 'push'
     and s.person_id = (add_message.data ->> 'recipient_id')::uuid;
end;

comment on function private.add_message is
  'Adds the jobs that send a message to a person by a channel, unless there are or were any with this key.';

/*
 * The mails and pushes of notifications, in the transaction that gives their events a position. What happens
 * within seconds of one another, such as a series of claims, is one message: it leaves a moment later. Once
 * there were many of a kind in a day, that moment is an hour: a neighbour with a script floods nobody.
 */
create or replace function private.add_mails(after bigint, until bigint)
  returns void
  language plpgsql
  security invoker -- for private.order_events: no grant to the API role
  set search_path = ''
as $$
declare
  c_many constant integer := 10;
  c_moment_after_many constant interval := interval '1 hour';
  v_channels constant text[] := array(
    select c.channel from unnest('{mail,push}'::text[]) c (channel) where private.is_sent(c.channel)
  );
  v_message record;
begin
  if cardinality(v_channels) = 0 then
    return;
  end if;

  for v_message in
    select r.channel,
           case r.channel when 'mail' then interval '10 seconds' else interval '2 seconds' end as moment,
           n.recipient_id,
           n.kind,
           to_jsonb(array_agg(n.id order by e.position)) as notifications,
           min(e.position) as position
      from private.events e
      join parking.notifications n on n.id = e.subject_id
      join private.recipients r on r.id = n.recipient_id and n.kind = any (r.kinds)
     where e.position > add_mails.after
       and e.position <= add_mails.until
       and e.type = 'notification.created'
       and r.channel = any (v_channels)
     group by r.channel, n.recipient_id, n.kind
  loop
    update private.jobs j
       set data = j.data || jsonb_build_object(
             'notifications', (j.data -> 'notifications') || v_message.notifications
           )
     where j.lane = private.message_lane(v_message.channel, v_message.recipient_id)
       and j.ended_at is null
       and not private.is_due(j.run_at, j.pause)
       and j.attempts = 0
       and j.data ->> 'recipient_id' = v_message.recipient_id::text
       and j.data ->> 'kind' = v_message.kind;

    if not found then
      -- Positions are never given twice, so neither is a key.
      perform private.add_message(
        v_message.channel,
        'event.' || v_message.position,
        jsonb_build_object(
          'kind', v_message.kind,
          'recipient_id', v_message.recipient_id,
          'notifications', v_message.notifications
        ),
        clock_timestamp() + case
          when c_many > (
            -- The pushes of a message to several devices have one position.
            select count(distinct split_part(j.key, '.', 2))
              from private.jobs j
             where j.kind = v_message.channel
               and j.data ->> 'recipient_id' = v_message.recipient_id::text
               and j.created_at > now() - interval '1 day'
               and j.created_at <= clock_timestamp()::timestamptz(3) -- not while the clock ran ahead
               and j.data ->> 'kind' = v_message.kind
          )
            then v_message.moment
          else c_moment_after_many
        end
      );
    end if;
  end loop;
end;
$$;

comment on function private.add_mails is
  'Adds the mails and pushes of the notifications whose events have a position after the first and up to the second.';
