alter table parking.calendar_feeds
  drop constraint if exists calendar_feeds_language_is_known,
  add constraint calendar_feeds_language_is_known
    check (language in ('en', 'de'));

comment on constraint calendar_feeds_language_is_known on parking.calendar_feeds is
  E'@field language\n@de Wählen Sie Englisch oder Deutsch.\nlanguage must be en or de';
