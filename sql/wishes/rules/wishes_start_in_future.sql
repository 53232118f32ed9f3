-- A constraint trigger runs last, so that refusals about the order of the times come first.
drop trigger if exists wishes_start_in_future on parking.wishes;
create constraint trigger wishes_start_in_future
  after insert or update of start_time on parking.wishes
  for each row
  execute function private.enforce_start_in_future();

comment on trigger wishes_start_in_future on parking.wishes is
  E'@field start_time\n@de Der Anfang muss in der Zukunft liegen.\nstart_time must be in the future';
