alter table parking.building
  drop constraint if exists building_keeps_for_days,
  add constraint building_keeps_for_days
    check (
      least(event_days, notification_days) >= 30
      and job_days >= 7
      and greatest(event_days, notification_days, job_days) <= 36500
    );

comment on constraint building_keeps_for_days on parking.building is
  'Events and notifications are kept for 30 to 36500 days, jobs for 7 to 36500';
