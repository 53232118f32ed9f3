create or replace function api.use_by_section(
    "from" date,
    until date,
    section text default null,
    step text default 'day'
)
  returns table (
    building_section text,
    first_day date,
    offered_minutes bigint,
    claimed_minutes bigint,
    share numeric
  )
  language plpgsql
  stable
  security definer -- no policy shows a row to a key; private.report_start refuses all who may not have the report
  set search_path = ''
as $$
declare
  v_rows bigint;
begin
  perform private.report_start(use_by_section."from", use_by_section.until);

  return query
    select s.building_section,
           d.first_day,
           coalesce(round(extract(epoch from u.offered) / 60), 0)::bigint,
           coalesce(round(extract(epoch from u.claimed) / 60), 0)::bigint,
           round(extract(epoch from u.claimed) / extract(epoch from u.offered), 4)
      from (
        select distinct p.building_section
          from parking.spots p
         where use_by_section.section is null or p.building_section = use_by_section.section
      ) s
     cross join private.report_steps(use_by_section."from", use_by_section.until, use_by_section.step) d
      left join private.section_use(
             use_by_section."from", use_by_section.until, use_by_section.section, use_by_section.step
           ) u
             on u.building_section = s.building_section and u.first_day = d.first_day
     order by s.building_section, d.first_day
     limit 10001;

  get diagnostics v_rows = row_count;
  perform row(use_by_section."from", use_by_section.until, v_rows)::private.reports;
end;
$$;

comment on function api.use_by_section is
  'How much each section was offered and claimed, by days or weeks';
grant execute on function api.use_by_section to parking_api;
