create or replace function private.note_published(id uuid, until date)
  returns void
  language plpgsql
  volatile
  security definer -- residents may not say themselves what is published
  set search_path = ''
as $$
declare
  v_zone constant text := (private.building()).time_zone;
begin
  update parking.patterns p
     set published_until = note_published.until,
         time_zone = v_zone,
         left_out = array(
           select d.day
             from unnest(p.left_out) d (day)
            where d.day >= (clock_timestamp() at time zone v_zone)::date
         ),
         left_out_times = array(
           select t from unnest(p.left_out_times) t where upper(t) > clock_timestamp()
         )
   where p.id = note_published.id
     and p.owner_id = (select private.caller_id())
     and (p.published_until, p.time_zone) is distinct from (note_published.until, v_zone);
end;
$$;

comment on function private.note_published is
  'Notes until which day the caller''s pattern is published, and in which time zone; forgets what was left out before today.';
grant execute on function private.note_published to parking_api;
