-- Restrictive, because PostgreSQL names only restrictive policies in its error, and the name gives the message.
drop policy if exists spot_reports_by_who_may_park on parking.spot_reports;
create policy spot_reports_by_who_may_park on parking.spot_reports
  as restrictive
  for insert to parking_api
  with check (
    exists (
      select from parking.spots s
       where s.id = spot_reports.spot_id
         and s.owner_id = (select private.caller_id())
    )
    or exists (
      select from parking.claims c
       where c.spot_id = spot_reports.spot_id
         and c.claimer_id = (select private.caller_id())
         and c.start_time <= (select clock_timestamp())
         and c.end_time > (select clock_timestamp())
         and c.status = 'active'
    )
  );

comment on policy spot_reports_by_who_may_park on parking.spot_reports is
  E'@de Sie können nur ein Auto auf Ihrem eigenen Stellplatz melden, oder auf einem, den Sie gerade reserviert haben.\nYou can only report a car on your own spot, or on one that you have claimed now';
