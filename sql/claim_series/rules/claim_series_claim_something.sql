alter domain private.claim_series drop constraint if exists claim_series_claim_something;
alter domain private.claim_series add constraint claim_series_claim_something
  check ((value).number_of_claims > 0);

comment on constraint claim_series_claim_something on domain private.claim_series is
  E'@status 409\n@de Keiner dieser Tage ist zu haben.\nNone of these days can be claimed';
