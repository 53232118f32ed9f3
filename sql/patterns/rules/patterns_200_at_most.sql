create or replace trigger patterns_200_at_most
  after insert on parking.patterns
  for each row
  when (row_security_active('parking.patterns')) -- binds people, not the owner of the table
  execute function private.enforce_few_patterns('200');

comment on trigger patterns_200_at_most on parking.patterns is
  E'@status 409\nYou have 200 patterns, as many as one resident may have';
