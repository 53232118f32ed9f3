alter table parking.building
  drop constraint if exists building_reminds_in_time,
  add constraint building_reminds_in_time
    check (remind_minutes >= 5 and remind_minutes <= 10080);

comment on constraint building_reminds_in_time on parking.building is
  E'@field remind_minutes\n@de Eine Erinnerung kommt 5 Minuten bis 7 Tage vorher.\nremind_minutes must be 5 to 10080, a week';
