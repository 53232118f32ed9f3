create or replace trigger wishes_ten_open_at_most
  before insert on parking.wishes
  for each row
  execute function private.enforce_few_open('10');

comment on trigger wishes_ten_open_at_most on parking.wishes is
  E'@status 409\nYou wait for ten times already; withdraw one of these wishes first';
