/* A report that was dealt with needs nobody any more. */
create or replace function private.read_of_report()
  returns trigger
  language plpgsql
  security definer -- notifications of others, on behalf of the administrator
  set search_path = ''
as $$
begin
  -- Written in one transaction, so made at one time. By recipients, as the index of unread ones has them.
  update parking.notifications n
     set is_read = true,
         resolved_at = now()
   where n.recipient_id in (
           select p.id from parking.profiles p where p.is_admin or p.id = new.holder_id
         )
     and n.created_at = new.created_at
     and n.kind = 'report.submitted'
     and n.spot_id = new.spot_id
     and not n.is_read;
  return null;
end;
$$;

comment on function private.read_of_report is
  'Trigger function: marks the notifications of a report as read, for all recipients, when it is dealt with.';

create or replace trigger read_of_report
  after update on parking.spot_reports
  for each row
  when (new.is_resolved and not old.is_resolved)
  execute function private.read_of_report();
