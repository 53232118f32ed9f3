create or replace function private.renew_messages(ids uuid[])
  returns void
  language sql
  volatile
begin atomic
  update parking.notifications n
     set message = private.notification_message(
           n.recipient_id,
           n.kind,
           jsonb_populate_record(
             null::parking.spots,
             n.data || jsonb_build_object(
               'owner_id', case when n.data ? 'is_owner' then n.recipient_id end
             )
           ),
           (n.data ->> 'start_time')::timestamptz,
           (n.data ->> 'end_time')::timestamptz,
           n.data ->> 'reason'
         )
   where n.id = any (renew_messages.ids);
end;

comment on function private.renew_messages is
  'Writes the messages of these notifications as they would be written from their data as it is now.';
