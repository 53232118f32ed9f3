-- Each may change a thousand windows, and every window that a plan publishes looks at all of them.
create or replace trigger exceptions_fifty_at_most
  after insert on parking.exceptions
  for each row
  execute function private.enforce_few('50', 'owner_id', 'end_time > clock_timestamp()', 'profile');

comment on trigger exceptions_fifty_at_most on parking.exceptions is
  E'@status 409\n@de Sie haben 50 Zeiten, zu denen Sie einen Stellplatz brauchen oder weg sind. Machen Sie erst eine rückgängig.\nYou have 50 exceptions that have not ended: delete one first';
