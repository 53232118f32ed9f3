-- The longest period keeps a report under a second.
alter domain private.reports drop constraint if exists reports_of_half_a_year_at_most;
alter domain private.reports add constraint reports_of_half_a_year_at_most
  check ((value).until - (value)."from" <= 184);

comment on constraint reports_of_half_a_year_at_most on domain private.reports is
  E'@field until\n@de Der Zeitraum kann höchstens 184 Tage lang sein.\nThe period of a report must not be longer than 184 days';
