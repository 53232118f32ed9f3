create or replace trigger exceptions_end_in_future
  after insert on parking.exceptions
  for each row
  when (new.end_time <= clock_timestamp())
  execute function private.enforce_rule();

comment on trigger exceptions_end_in_future on parking.exceptions is
  E'@field end_time\n@de Das Ende muss in der Zukunft liegen.\nend_time must be in the future';
