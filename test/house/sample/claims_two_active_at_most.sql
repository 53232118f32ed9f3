create or replace trigger claims_two_active_at_most
  after insert on parking.claims
  for each row
  execute function private.enforce_two_active_claims();

comment on trigger claims_two_active_at_most on parking.claims is
  E'@status 409\nAt most two active claims at a time';
