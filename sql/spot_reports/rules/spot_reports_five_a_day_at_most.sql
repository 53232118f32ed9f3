-- Each is a message to all administrators.
create or replace trigger spot_reports_five_a_day_at_most
  before insert on parking.spot_reports
  for each row
  execute function private.enforce_few(
    '5',
    'reporter_id',
    -- Not by a clock that ran ahead.
    'created_at > clock_timestamp() - interval ''1 day'' and created_at <= clock_timestamp()::timestamptz(3)',
    'profile'
  );

comment on trigger spot_reports_five_a_day_at_most on parking.spot_reports is
  E'@status 409\n@de Sie haben in 24 Stunden fünf Autos gemeldet. Wenden Sie sich an die Verwaltung.\nYou have reported five cars in 24 hours: ask an administrator';
