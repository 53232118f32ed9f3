create or replace function api.get_calendar_feed()
  returns table (language text, created_at timestamptz)
  language sql
  stable
  rows 1
as $$
  select f.language, f.created_at
    from parking.calendar_feeds f
$$;

comment on function api.get_calendar_feed is
  'Your calendar feed without its address, which only its POST shows; null where you have none';
grant execute on function api.get_calendar_feed to parking_api;
