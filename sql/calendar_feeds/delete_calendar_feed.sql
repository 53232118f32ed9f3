create or replace function api.delete_calendar_feed(out message text)
  language plpgsql
  set search_path = ''
as $$
begin
  delete from parking.calendar_feeds f
   where f.person_id = (select private.caller_id());

  if not found then
    perform private.refuse_absent('calendar_feeds');
  end if;

  message := 'Calendar feed ended successfully';
end;
$$;

comment on function api.delete_calendar_feed is
  'End your calendar feed: nobody reads your calendar at its address any more';
grant execute on function api.delete_calendar_feed to parking_api;
