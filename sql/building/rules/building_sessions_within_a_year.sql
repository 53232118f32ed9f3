alter table parking.building
  drop constraint if exists building_sessions_within_a_year,
  add constraint building_sessions_within_a_year
    check (session_days >= 1 and session_days <= 365);

comment on constraint building_sessions_within_a_year on parking.building is
  E'@field session_days\n@de Eine Anmeldung gilt für 1 bis 365 Tage.\nA sign-in lasts for 1 to 365 days';
