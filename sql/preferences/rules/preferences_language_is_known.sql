alter table parking.preferences
  drop constraint if exists preferences_language_is_known,
  add constraint preferences_language_is_known
    check (language in ('en', 'de'));

comment on constraint preferences_language_is_known on parking.preferences is
  E'@field language\n@de Wählen Sie Englisch oder Deutsch.\nlanguage must be en or de';
