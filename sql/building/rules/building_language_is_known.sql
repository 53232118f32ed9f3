alter table parking.building
  drop constraint if exists building_language_is_known,
  add constraint building_language_is_known
    check (language in ('en', 'de'));

comment on constraint building_language_is_known on parking.building is
  E'@field language\n@de Wählen Sie Englisch oder Deutsch.\nlanguage must be en or de';
