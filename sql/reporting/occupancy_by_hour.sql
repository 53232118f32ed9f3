/* Offered and claimed hours for each hour of the week. */
create or replace view reporting.occupancy_by_hour as
  with hours as (
    select b.time_zone,
           generate_series(
             date_trunc('hour', a.start_time, b.time_zone),
             least(a.end_time, (select private.reported_until())) - interval '1 microsecond',
             interval '1 hour'
           ) as hour,
           a.during,
           c.held
      from parking.building b
     cross join parking.availabilities a
      left join parking.claims c on c.availability_id = a.id and c.held is not null
  ),
  taken as (
    select h.hour at time zone h.time_zone as hour,
           private.hours(h.during * tstzrange(h.hour, h.hour + interval '1 hour')) as offered_hours,
           coalesce(private.hours(h.held * tstzrange(h.hour, h.hour + interval '1 hour')), 0) as claimed_hours
      from hours h
  )
  select extract(isodow from t.hour)::integer as weekday,
         extract(hour from t.hour)::integer as hour,
         sum(t.offered_hours) as offered_hours,
         sum(t.claimed_hours) as claimed_hours,
         round(sum(t.claimed_hours) / sum(t.offered_hours), 4) as occupancy
    from taken t
   group by 1, 2;

comment on view reporting.occupancy_by_hour is
  'One row for each hour of the week (in the time zone of the building) in which any spot was ever offered, up to a year from today.';
comment on column reporting.occupancy_by_hour.weekday is
  'Day of the week, 1 Monday to 7 Sunday.';
comment on column reporting.occupancy_by_hour.hour is
  'Hour of the day, 0 to 23.';
comment on column reporting.occupancy_by_hour.offered_hours is
  'Hours offered in that hour of the week, over all weeks and spots.';
comment on column reporting.occupancy_by_hour.claimed_hours is
  'Hours of them that active or completed claims took.';
comment on column reporting.occupancy_by_hour.occupancy is
  'claimed_hours / offered_hours, 0 to 1.';
grant select on reporting.occupancy_by_hour to parking_reporter;
