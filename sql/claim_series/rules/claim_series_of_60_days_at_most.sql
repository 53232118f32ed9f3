-- Each claim is a subtransaction of its own, and PostgreSQL keeps 64 of them at hand. A request holds what it claims until its end.
alter domain private.claim_series drop constraint if exists claim_series_of_60_days_at_most;
alter domain private.claim_series add constraint claim_series_of_60_days_at_most
  check ((value).number_of_days <= 60);

comment on constraint claim_series_of_60_days_at_most on domain private.claim_series is
  E'@field last_day\n@de Eine Serie kann höchstens 60 Tage umfassen. Wählen Sie einen früheren letzten Tag.\nA series must not have more than 60 days';
