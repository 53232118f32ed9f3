create or replace function private.reported_section_use(step text)
  returns table (
    first_day date,
    building_section text,
    offered_spots bigint,
    offered_hours numeric,
    claimed_hours numeric,
    utilisation numeric
  )
  language sql
  stable
  security definer -- reporting tools see the views, and not the tables that this reads
  set search_path = ''
begin atomic
  select u.first_day,
         u.building_section,
         u.windows - coalesce(r.windows, 0),
         round(extract(epoch from u.offered) / 3600, 3),
         round(extract(epoch from u.claimed) / 3600, 3),
         round(extract(epoch from u.claimed) / extract(epoch from u.offered), 4)
    from (
      select date_trunc(reported_section_use.step, d."from"::timestamp)::date as "from", d.until
        from private.reported_period() d
    ) p
   cross join lateral private.section_use(p."from", p.until, null, reported_section_use.step) u
    left join private.repeated_windows(p."from", p.until, reported_section_use.step) r
           on r.building_section = u.building_section and r.first_day = u.first_day;
end;

comment on function private.reported_section_use is
  'For reporting tools: how well each section was used, by days or months, in all the time.';
grant execute on function private.reported_section_use to parking_reporter, parking_analyst;
