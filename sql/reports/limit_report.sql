/* A report is one answer, without pages: it must neither fill the memory of the service nor be cut off silently. */
create or replace function private.limit_report(number_of_rows bigint)
  returns void
  language plpgsql
  immutable
  set search_path = ''
as $$
begin
  if limit_report.number_of_rows > 10000 then
    raise sqlstate 'PT400' using
      message = 'The report would have more than 10000 rows: choose a shorter period or one section';
  end if;
end;
$$;

comment on function private.limit_report is
  'Fails where a report has more than 10,000 rows.';
grant execute on function private.limit_report to parking_api;
