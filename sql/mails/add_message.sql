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
