/* For the job, which asks without a caller, before it acts as the owners. A signed-in caller sees nothing. */
create or replace function private.due_patterns()
  returns table (id uuid, owner_id uuid)
  language sql
  stable
  security definer -- it lists the patterns of all residents
  set search_path = ''
begin atomic
  select distinct on (p.spot_id) p.id, p.owner_id -- the whole spot is set anew
    from parking.patterns p
    join parking.profiles o on o.id = p.owner_id and o.is_approved
   cross join parking.building b
   where (select private.caller_id()) is null
     and (
       p.time_zone <> b.time_zone
       or p.published_until is null
       or p.published_until < least((now() at time zone b.time_zone)::date + b.pattern_days - 1, p.last_day)
     )
   order by p.spot_id, p.id;
end;

comment on function private.due_patterns is
  'For each spot of an approved resident, one pattern that has days to publish, or that was published in another time zone.';
grant execute on function private.due_patterns to parking_api;
