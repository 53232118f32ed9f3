-- Somebody with a wish for every hour would be told of every window, and keep it from all others.
create or replace trigger wishes_ten_open_at_most
  before insert on parking.wishes
  for each row
  execute function private.enforce_few('10', 'wisher_id', 'claim_id is null and start_time > clock_timestamp()', 'profile');

comment on trigger wishes_ten_open_at_most on parking.wishes is
  E'@status 409\n@de Sie warten schon auf zehn Zeiten. Warten Sie erst auf eine davon nicht mehr.\nYou wait for ten times already; withdraw one of these wishes first';
