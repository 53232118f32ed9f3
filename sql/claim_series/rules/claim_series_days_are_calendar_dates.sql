-- Not in 9999: what ends a day later would be of a year that no answer can name.
alter domain private.claim_series drop constraint if exists claim_series_days_are_calendar_dates;
alter domain private.claim_series add constraint claim_series_days_are_calendar_dates
  check (((value).first_day >= '0001-01-01' and (value).last_day < '9999-01-01') is true);

comment on constraint claim_series_days_are_calendar_dates on domain private.claim_series is
  E'@de Das Jahr muss zwischen 1 und 9998 liegen.\nfirst_day and last_day must lie in the years 1 to 9998';
