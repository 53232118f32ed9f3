alter table parking.building
  drop constraint if exists building_keeps_for_days,
  add constraint building_keeps_for_days
    check (
      least(event_days, notification_days) >= 30
      and job_days >= 7
      and greatest(event_days, notification_days, job_days) <= 36500
    );

comment on constraint building_keeps_for_days on parking.building is
  E'@de Geschehenes und Nachrichten werden 30 Tage bis 100 Jahre aufbewahrt, was aus E-Mails und Webhooks wurde, 7 Tage bis 100 Jahre.\nEvents and notifications are kept for 30 to 36500 days, jobs for 7 to 36500';
