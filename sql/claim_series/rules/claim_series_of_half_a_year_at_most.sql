alter domain private.claim_series drop constraint if exists claim_series_of_half_a_year_at_most;
alter domain private.claim_series add constraint claim_series_of_half_a_year_at_most
  check ((value).last_day - (value).first_day < 184);

comment on constraint claim_series_of_half_a_year_at_most on domain private.claim_series is
  E'@field last_day\n@de Eine Serie kann höchstens 184 Tage lang sein.\nA series must not be longer than 184 days';
