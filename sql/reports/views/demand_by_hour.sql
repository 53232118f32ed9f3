/* Counted by quarters of an hour first: all clocks are whole quarters apart, and there are few of them. */
create or replace view reporting.demand_by_hour as
  with quarters as (
    select date_bin('15 minutes', c.created_at, 'epoch') as quarter,
           count(*) as made,
           0 as begun
      from parking.claims c
     group by 1
    union all
    select date_bin('15 minutes', c.start_time, 'epoch'),
           0,
           count(*)
      from parking.claims c
     group by 1
  )
  select extract(isodow from q.quarter at time zone b.time_zone)::integer as weekday,
         extract(hour from q.quarter at time zone b.time_zone)::integer as hour,
         sum(q.made)::bigint as claims_made,
         sum(q.begun)::bigint as claims_begun
    from quarters q
   cross join parking.building b
   group by 1, 2;

comment on view reporting.demand_by_hour is
  'One row for each hour of the week (in the time zone of the building) in which a claim was ever made or begins, cancelled ones included.';
comment on column reporting.demand_by_hour.weekday is
  'Day of the week, 1 Monday to 7 Sunday.';
comment on column reporting.demand_by_hour.hour is
  'Hour of the day, 0 to 23.';
comment on column reporting.demand_by_hour.claims_made is
  'Claims that people made in that hour of the week.';
comment on column reporting.demand_by_hour.claims_begun is
  'Claims whose parking session begins in that hour of the week.';
grant select on reporting.demand_by_hour to parking_reporter, parking_analyst;
