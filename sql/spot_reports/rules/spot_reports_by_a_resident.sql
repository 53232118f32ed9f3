alter table parking.spot_reports
  drop constraint if exists spot_reports_by_a_resident,
  add constraint spot_reports_by_a_resident
    foreign key (reporter_id)
    references parking.profiles (id);

comment on constraint spot_reports_by_a_resident on parking.spot_reports is
  E'@status 403\n@de Ihr Konto ist nicht freigegeben.\nWho reports a car must be a resident';
