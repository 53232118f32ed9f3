create or replace function private.report_steps("from" date, until date, step text)
  returns table (first_day date, start_time timestamptz)
  language sql
  stable
  security invoker
as $$
  select s.first_day, private.midnight(s.first_day)
    from (
      select greatest(g.day::date, report_steps."from") as first_day
        from generate_series(
               date_trunc(report_steps.step, report_steps."from"::timestamp),
               report_steps.until - interval '1 day',
               ('1 ' || report_steps.step)::interval
             ) g (day)
    ) s
$$;

comment on function private.report_steps is
  'The days, weeks or months of a period, the first of which may be cut.';
grant execute on function private.report_steps to parking_api;
