/* What the interface calls a Profile, Spot, Availability or Claim: the row without what others carry down to it. */
create or replace function private.event_data(thing text, subject jsonb)
  returns jsonb
  language sql
  stable
return (
  case when thing in ('availability', 'claim') then jsonb_strip_nulls(subject) else subject end - case thing
    when 'availability' then array['owner_id', 'during', 'pattern_day', 'part_of']
    when 'pattern' then array['owner_id', 'time_zone', 'left_out']
    when 'claim' then array['spot_id', 'owner_id', 'held']
    else '{}'
  end
) || (
  select jsonb_object_agg(t.name, private.iso8601((subject ->> t.name)::timestamptz))
    from unnest(array['start_time', 'end_time', 'created_at', 'updated_at']) t (name)
   where subject ? t.name
);

comment on function private.event_data is
  'A row as the event log keeps it: as clients see it.';
