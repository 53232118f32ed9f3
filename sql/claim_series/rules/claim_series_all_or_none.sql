alter domain private.claim_series drop constraint if exists claim_series_all_or_none;
alter domain private.claim_series add constraint claim_series_all_or_none
  check ((value).all_or_none is not true or (value).number_of_claims is null or (value).number_of_claims = (value).number_of_days);

comment on constraint claim_series_all_or_none on domain private.claim_series is
  E'@status 409\n@de Nicht alle diese Tage sind zu haben.\nNot all of these days can be claimed';
