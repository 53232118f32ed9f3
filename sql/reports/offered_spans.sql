/* Indexes have all that this reads. Windows of a spot do not overlap: one at most is open at the start. */
create or replace function private.offered_spans(
    "from" timestamptz,
    until timestamptz,
    section text
)
  returns table (building_section text, start_time timestamptz, end_time timestamptz)
  language sql
  stable
  security invoker
as $$
  select s.building_section, a.start_time, least(a.end_time, offered_spans.until)
    from parking.spots s
    join parking.availabilities a on a.spot_id = s.id
   where (offered_spans.section is null or s.building_section = offered_spans.section)
     and a.start_time >= offered_spans."from"
     and a.start_time < offered_spans.until
     and a.offered is null
  union all
  select s.building_section, offered_spans."from", least(o.end_time, offered_spans.until)
    from parking.spots s
   cross join lateral (
     select a.end_time, a.offered
       from parking.availabilities a
      where a.spot_id = s.id
        and a.start_time < offered_spans."from"
      order by a.start_time desc
      limit 1
   ) o
   where (offered_spans.section is null or s.building_section = offered_spans.section)
     and o.end_time > offered_spans."from"
     and o.offered is null
  union all
  -- The few of which only parts are offered.
  select s.building_section, lower(part), upper(part)
    from parking.availabilities a
    join parking.spots s on s.id = a.spot_id
   cross join lateral unnest(
     a.offered * tstzmultirange(tstzrange(offered_spans."from", offered_spans.until))
   ) part
   where (offered_spans.section is null or s.building_section = offered_spans.section)
     and a.offered is not null
     and a.start_time < offered_spans.until
     and a.end_time > offered_spans."from"
$$;

comment on function private.offered_spans is
  'What was offered in a period, of one section or of all: the windows, cut at its ends.';
grant execute on function private.offered_spans to parking_api;
