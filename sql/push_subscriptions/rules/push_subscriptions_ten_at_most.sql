-- A message is sent to each of them. The lock of the profile has an erasure wait, or waits for it.
create or replace trigger push_subscriptions_ten_at_most
  before insert on parking.push_subscriptions
  for each row
  execute function private.enforce_few('10', 'person_id', 'true', 'profile');

comment on trigger push_subscriptions_ten_at_most on parking.push_subscriptions is
  E'@status 409\n@de Sie bekommen schon auf zehn Geräten Mitteilungen. Beenden Sie sie erst auf einem davon.\nYou get messages on ten devices already; end them on one of these first';
