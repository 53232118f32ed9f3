/* Of what others may see, a report would be wrong. The longest period keeps it under a second. */
create or replace function private.report_start("from" date, until date)
  returns timestamptz
  language plpgsql
  stable
  set search_path = ''
as $$
begin
  perform private.require_administrator();
  if (report_start.until > report_start."from") is not true then
    raise sqlstate 'PT400' using
      message = 'until must be after from',
      column = 'until';
  end if;
  if report_start.until - report_start."from" > 184 then
    raise sqlstate 'PT400' using
      message = 'The period of a report must not be longer than 184 days',
      column = 'until';
  end if;
  return private.midnight(report_start."from");
end;
$$;

comment on function private.report_start is
  'The first moment of a report''s period. Fails unless the caller is an administrator and the period is one of 1 to 184 days.';
grant execute on function private.report_start to parking_api;
