-- A constraint trigger runs last, so that refusals about the owner and the order of the times come first.
drop trigger if exists claims_start_in_future on parking.claims;
create constraint trigger claims_start_in_future
  after insert or update of start_time on parking.claims
  for each row
  execute function private.enforce_start_in_future();

comment on trigger claims_start_in_future on parking.claims is
  E'@field start_time\n@de Der Anfang muss in der Zukunft liegen.\nstart_time must be in the future';
