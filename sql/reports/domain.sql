/* The type of every report. PostgreSQL checks a value of this domain where a report begins and where it ends. */
do $$
begin
  create type private.report as ("from" date, until date, number_of_rows bigint);
  create domain private.reports as private.report;
exception
  when duplicate_object then null; -- this file can be run again
end;
$$;

comment on domain private.reports is
  'The period of a report, from its first day until the day after its last, and how many rows it has.';
