alter table parking.preferences
  drop constraint if exists preferences_remind_in_time,
  add constraint preferences_remind_in_time
    check (remind_minutes >= 5 and remind_minutes <= 10080);

comment on constraint preferences_remind_in_time on parking.preferences is
  E'@field remind_minutes\n@de Eine Erinnerung kommt 5 Minuten bis 7 Tage vorher.\nremind_minutes must be 5 to 10080, a week';
