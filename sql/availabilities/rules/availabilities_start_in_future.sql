-- A constraint trigger runs last, so that refusals about the owner and the order of the times come first.
drop trigger if exists availabilities_start_in_future on parking.availabilities;
create constraint trigger availabilities_start_in_future
  after insert or update of start_time on parking.availabilities
  for each row
  execute function private.enforce_start_in_future();

comment on trigger availabilities_start_in_future on parking.availabilities is
  E'@field start_time\n@de Der Anfang muss in der Zukunft liegen.\nstart_time must be in the future';
