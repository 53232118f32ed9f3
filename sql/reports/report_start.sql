/* A report of only those rows that others may see would be wrong. */
create or replace function private.report_start("from" date, until date)
  returns timestamptz
  language plpgsql
  stable
  set search_path = ''
as $$
begin
  perform private.require_administrator();
  perform row(report_start."from", report_start.until, null)::private.reports; -- or its rules refuse
  return private.midnight(report_start."from");
end;
$$;

comment on function private.report_start is
  'The first moment of a report''s period. Fails unless the caller is an administrator, and under the rules of private.reports.';
grant execute on function private.report_start to parking_api;
