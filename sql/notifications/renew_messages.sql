/* A message repeats the log: the reason of its event, and the number that the spot had then. */
create or replace function private.renew_messages(ids uuid[])
  returns void
  language sql
  volatile
begin atomic
  update parking.notifications n
     set message = renewed.message
    from (
      select old.id,
             private.notification_message(
               old.recipient_id,
               old.kind,
               (
                 select jsonb_populate_record(null::parking.spots, s.data)
                   from private.events s
                  where s.subject_id = old.spot_id
                    and s.type like 'spot.%'
                    and s.occurred_at <= e.occurred_at
                  order by s.occurred_at desc, s.id desc
                  limit 1
               ),
               (e.data ->> 'start_time')::timestamptz,
               (e.data ->> 'end_time')::timestamptz,
               e.reason
             ) as message
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
    ) renewed
   where n.id = renewed.id;
end;

comment on function private.renew_messages is
  'Writes the messages of these notifications as they would be written from the event log as it is now.';
