create or replace trigger keys_twenty_at_most
  before insert on parking.keys
  for each row
  execute function private.enforce_few('20');

comment on trigger keys_twenty_at_most on parking.keys is
  E'@status 409\n@de Es gibt zwanzig Schlüssel, mehr können es nicht sein.\nA building has twenty keys at most; delete one first';
