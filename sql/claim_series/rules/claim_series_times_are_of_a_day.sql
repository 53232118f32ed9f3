alter domain private.claim_series drop constraint if exists claim_series_times_are_of_a_day;
alter domain private.claim_series add constraint claim_series_times_are_of_a_day
  check (((value).starts_at ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$' and (value).ends_at ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$') is true);

comment on constraint claim_series_times_are_of_a_day on domain private.claim_series is
  E'@de Die Uhrzeiten müssen zwischen 00:00 und 23:59 liegen.\nstarts_at and ends_at must be times from 00:00 to 23:59';
