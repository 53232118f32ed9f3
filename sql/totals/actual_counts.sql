/* The counts that day_counts and person_counts must add up to. It reads every window and claim: for repair and for checks. */
create or replace view private.actual_counts
  with (security_invoker)
as
  select b.day,
         null::uuid as person_id,
         b.counted || b.bound as counted,
         count(*) as number
    from (
      select k.day, 'windows' as counted, k.bound
        from parking.availabilities a
       cross join lateral (
         values (private.utc_day(a.start_time), '_started'), (private.utc_day(a.end_time), '_ended')
       ) k (day, bound)
       where not a.is_hidden
      union all
      select k.day, 'claimed' as counted, k.bound
        from parking.availabilities a
       cross join lateral (
         values (private.utc_day(a.start_time), '_started'), (private.utc_day(a.end_time), '_ended')
       ) k (day, bound)
       where a.is_claimed
      union all
      select k.day, c.status, k.bound
        from parking.claims c
       cross join lateral (
         values (private.utc_day(c.start_time), '_started'), (private.utc_day(c.end_time), '_ended')
       ) k (day, bound)
    ) b
   group by b.day, b.counted, b.bound
  union all
  select null as day, c.claimer_id, c.status, count(*)
    from parking.claims c
   group by c.claimer_id, c.status;

comment on view private.actual_counts is
  'The counts as the windows and claims give them. Slow: reads all of them.';
comment on column private.actual_counts.day is
  'The day in UTC, for a count of a day.';
comment on column private.actual_counts.person_id is
  'The claimer, for a count of a person.';
comment on column private.actual_counts.counted is
  'The column of private.day_counts, or the value of private.person_counts.counted.';
comment on column private.actual_counts.number is
  'How many there are.';
