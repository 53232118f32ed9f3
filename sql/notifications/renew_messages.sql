/* A message repeats the log: the reason of its event, and the number that the spot had then. */
create or replace function private.renew_messages(ids uuid[])
  returns void
  language sql
  volatile
begin atomic
  update parking.notifications n
     set message = private.notification_message(
           n.recipient_id, n.kind, logged.spot, logged.start_time, logged.end_time, logged.reason
         ),
         data = private.notification_data(
           n.recipient_id, logged.spot, logged.start_time, logged.end_time, logged.reason
         )
    from (
      select old.id,
             (
               select jsonb_populate_record(null::parking.spots, s.data)
                 from private.events s
                where s.subject_id = old.spot_id
                  and s.type like 'spot.%'
                  and s.occurred_at <= e.occurred_at
                order by s.occurred_at desc, s.id desc
                limit 1
             ) as spot,
             (e.data ->> 'start_time')::timestamptz as start_time,
             (e.data ->> 'end_time')::timestamptz as end_time,
             e.reason
        from parking.notifications old
       cross join lateral (
         -- Both were written in one transaction, whose beginning the notification has.
         select e.data, e.occurred_at, e.reason
           from private.events e
          where e.type = old.kind
            and e.subject_id in (old.claim_id, old.availability_id, old.spot_id, old.recipient_id)
            and e.occurred_at >= old.created_at
          order by e.occurred_at, e.id
          limit 1
       ) e
       where old.id = any (renew_messages.ids)
    ) logged
   where n.id = logged.id;
end;

comment on function private.renew_messages is
  'Writes the messages of these notifications, and what these are made of, as they would be written from the event log as it is now.';
