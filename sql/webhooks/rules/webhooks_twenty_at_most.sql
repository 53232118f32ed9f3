-- Each event is sent to each of them.
create or replace trigger webhooks_twenty_at_most
  before insert on parking.webhooks
  for each row
  execute function private.enforce_few('20');

comment on trigger webhooks_twenty_at_most on parking.webhooks is
  E'@status 409\n@de Es gibt zwanzig Webhooks, mehr können es nicht sein.\nA building has twenty webhooks at most; delete one first';
