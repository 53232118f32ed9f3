create or replace trigger spot_reports_five_a_day_at_most
  before insert on parking.spot_reports
  for each row
  execute function private.enforce_few_reports('5');

comment on trigger spot_reports_five_a_day_at_most on parking.spot_reports is
  E'@status 409\nYou have reported five cars in 24 hours: ask an administrator';
