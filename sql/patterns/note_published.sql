create or replace function private.note_published(spot_id uuid)
  returns void
  language sql
  volatile
  security definer -- residents may not say themselves what is published
  set search_path = ''
as $$
  update parking.patterns p
     set published_until = n.until,
         time_zone = n.time_zone
    from (
      select o.id, greatest(o.published_until, private.until_of(o)) as until, b.time_zone
        from parking.patterns o
       cross join private.building() b
       where o.spot_id = note_published.spot_id
         and o.owner_id = (select private.caller_id())
    ) n
   where p.id = n.id
     and (p.published_until, p.time_zone) is distinct from (n.until, n.time_zone)
$$;

comment on function private.note_published is
  'Notes until which day the patterns of a spot of the caller are published, and in which time zone.';
grant execute on function private.note_published to parking_api;
