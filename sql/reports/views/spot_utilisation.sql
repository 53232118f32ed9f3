create or replace view reporting.spot_utilisation as
  with days as (
    -- Without a time zone: the series must not depend on the one of the session.
    select b.time_zone,
           generate_series(
             date_trunc('day', (select min(start_time) from parking.availabilities) at time zone b.time_zone),
             least(
               (select max(end_time) from parking.availabilities),
               private.reported_until()
             ) at time zone b.time_zone - interval '1 microsecond',
             interval '1 day'
           ) as day
      from parking.building b
  ),
  spans as (
    select d.day::date as day,
           tstzrange(
             d.day at time zone d.time_zone,
             (d.day + interval '1 day') at time zone d.time_zone
           ) as span
      from days d
  ),
  offered as (
    select s.day, a.spot_id, w.time * s.span as time, c.held * s.span as taken
      from spans s
      join parking.availabilities a on a.during && s.span
     cross join lateral unnest(coalesce(a.offered, tstzmultirange(a.during))) w (time)
      left join parking.claims c on c.holds = a.id and c.held && s.span and c.held && w.time
     where w.time && s.span
  ),
  -- In seconds: of a day with less than two, the hours to a thousandth are none, and not to be divided by.
  used as (
    select o.day,
           o.spot_id,
           sum(extract(epoch from upper(o.time) - lower(o.time))) as offered,
           coalesce(sum(extract(epoch from upper(o.taken) - lower(o.taken))), 0) as claimed
      from offered o
     group by o.day, o.spot_id
  )
  select u.day,
         p.id as spot_id,
         p.spot_number,
         p.building_section,
         p.is_verified,
         round(u.offered / 3600, 3) as offered_hours,
         round(u.claimed / 3600, 3) as claimed_hours,
         round(u.claimed / u.offered, 4) as utilisation
    from used u
    join parking.spots p on p.id = u.spot_id;

comment on view reporting.spot_utilisation is
  'One row for each spot and each day (of the building''s time zone) on which it was offered, up to a year from today.';
comment on column reporting.spot_utilisation.day is
  'The day, from midnight to midnight in the time zone of the building.';
comment on column reporting.spot_utilisation.spot_id is
  'The spot.';
comment on column reporting.spot_utilisation.spot_number is
  'The number on the ground.';
comment on column reporting.spot_utilisation.building_section is
  'Section or location of the spot.';
comment on column reporting.spot_utilisation.is_verified is
  'Whether an administrator has verified the spot.';
comment on column reporting.spot_utilisation.offered_hours is
  'Hours of that day in which the spot was published as available.';
comment on column reporting.spot_utilisation.claimed_hours is
  'Hours of them that active or completed claims took.';
comment on column reporting.spot_utilisation.utilisation is
  'claimed_hours / offered_hours, 0 to 1.';
grant select on reporting.spot_utilisation to parking_reporter;
