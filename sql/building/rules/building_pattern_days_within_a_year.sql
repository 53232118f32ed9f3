alter table parking.building
  drop constraint if exists building_pattern_days_within_a_year,
  add constraint building_pattern_days_within_a_year
    check (pattern_days >= 1 and pattern_days <= 366);

comment on constraint building_pattern_days_within_a_year on parking.building is
  E'@field pattern_days\n@de Wöchentliche Zeiten werden für 1 bis 366 Tage veröffentlicht.\nThe windows of patterns are published for 1 to 366 days';
