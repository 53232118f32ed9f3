alter domain private.claim_series drop constraint if exists claim_series_first_day_before_last;
alter domain private.claim_series add constraint claim_series_first_day_before_last
  check ((value).first_day <= (value).last_day);

comment on constraint claim_series_first_day_before_last on domain private.claim_series is
  E'@field last_day\n@de Der letzte Tag darf nicht vor dem ersten liegen.\nlast_day must not be before first_day';
