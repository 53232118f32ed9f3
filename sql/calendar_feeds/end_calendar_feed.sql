create or replace function private.end_calendar_feed()
  returns trigger
  language plpgsql
  security definer -- the feed belongs to the person who is suspended or erased
  set search_path = ''
as $$
begin
  delete from parking.calendar_feeds f
   where f.person_id = new.id;
  return null;
end;
$$;

comment on function private.end_calendar_feed is
  'Trigger function: ends the calendar feed of a person with their approval, which an erasure ends too.';

create or replace trigger end_calendar_feed
  after update of is_approved on parking.profiles
  for each row
  when (old.is_approved and not new.is_approved)
  execute function private.end_calendar_feed();
