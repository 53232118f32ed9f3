/* Reports of strangers' cars are submitted and resolved. */
create or replace trigger record_submission
  after insert on parking.spot_reports
  for each row
  execute function private.record_event('report.submitted');

create or replace trigger record_resolution
  after update on parking.spot_reports
  for each row
  when (new.is_resolved and not old.is_resolved)
  execute function private.record_event('report.resolved');
