create or replace function api.spots_never_offered(
    "from" date,
    until date,
    section text default null
)
  returns table (
    id uuid,
    spot_number text,
    building_section text,
    owner_id uuid,
    is_verified boolean,
    last_offered timestamptz
  )
  language plpgsql
  stable
  security definer -- no policy shows a row to a key; private.report_start refuses all who may not have the report
  set search_path = ''
as $$
declare
  v_from constant timestamptz := private.report_start(spots_never_offered."from", spots_never_offered.until);
  v_until constant timestamptz := private.midnight(spots_never_offered.until);
  v_rows bigint;
begin
  return query
    select s.id, s.spot_number, s.building_section, s.owner_id, s.is_verified, l.end_time
      from parking.spots s
      -- Windows of a spot do not overlap: the one that starts last before a moment ends last too.
      left join lateral (
        select a.end_time
          from parking.availabilities a
         where a.spot_id = s.id
           and a.start_time < v_until
           and a.offered is distinct from '{}'
         order by a.start_time desc
         limit 1
      ) l on true
     where (spots_never_offered.section is null or s.building_section = spots_never_offered.section)
       and s.created_at < v_until
       and s.retired_at is null
       and (l.end_time > v_from) is not true
     order by s.spot_number, s.id
     limit 10001;

  get diagnostics v_rows = row_count;
  perform row(spots_never_offered."from", spots_never_offered.until, v_rows)::private.reports;
end;
$$;

comment on function api.spots_never_offered is
  'The spots that nobody could claim for any part of the period';
grant execute on function api.spots_never_offered to parking_api;
