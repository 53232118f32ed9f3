/* An index has all that this reads. Claims that hold their windows do not overlap either: one at most is open at the start. */
create or replace function private.claimed_spans(
    "from" timestamptz,
    until timestamptz,
    section text
)
  returns table (building_section text, start_time timestamptz, end_time timestamptz)
  language sql
  stable
  security invoker
as $$
  select s.building_section, c.start_time, least(c.end_time, claimed_spans.until)
    from parking.spots s
    join parking.claims c on c.spot_id = s.id
   where (claimed_spans.section is null or s.building_section = claimed_spans.section)
     and c.start_time >= claimed_spans."from"
     and c.start_time < claimed_spans.until
     and c.status <> 'cancelled'
  union all
  select s.building_section, claimed_spans."from", least(o.end_time, claimed_spans.until)
    from parking.spots s
   cross join lateral (
     select c.end_time
       from parking.claims c
      where c.spot_id = s.id
        and c.start_time < claimed_spans."from"
        and c.status <> 'cancelled'
      order by c.start_time desc
      limit 1
   ) o
   where (claimed_spans.section is null or s.building_section = claimed_spans.section)
     and o.end_time > claimed_spans."from"
$$;

comment on function private.claimed_spans is
  'What was claimed in a period, of one section or of all: the active and completed claims, cut at its ends.';
grant execute on function private.claimed_spans to parking_api;
