/* A person who makes a feed and is suspended or erased at one moment: one waits for the other. */
create or replace function private.begin_calendar_feed()
  returns trigger
  language plpgsql
  security definer -- a shared lock needs more than the caller may do to a profile
  set search_path = ''
as $$
begin
  perform from parking.profiles p where p.id = new.person_id for share;
  new.created_at := clock_timestamp();
  return new;
end;
$$;

create or replace trigger begin_calendar_feed
  before insert or update on parking.calendar_feeds
  for each row
  execute function private.begin_calendar_feed();
