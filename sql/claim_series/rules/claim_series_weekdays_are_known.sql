alter domain private.claim_series drop constraint if exists claim_series_weekdays_are_known;
alter domain private.claim_series add constraint claim_series_weekdays_are_known
  check (private.are_weekdays((value).weekdays) is true);

comment on constraint claim_series_weekdays_are_known on domain private.claim_series is
  E'@field weekdays\n@de Wählen Sie einen oder mehrere Wochentage.\nweekdays must be one or more different days of MO, TU, WE, TH, FR, SA and SU';
