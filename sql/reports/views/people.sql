/* The time that each person gives and takes. Seconds are added up, not intervals: 750 that last until the year 9999 are too long for one. */
create or replace view reporting.people as
  select p.id as profile_id,
         p.is_approved,
         coalesce(s.spots, 0) as spots,
         coalesce(w.windows, 0) as windows,
         coalesce(g.claims, 0) as claims_given,
         coalesce(g.hours, 0) as given_hours,
         coalesce(t.claims, 0) as claims_taken,
         coalesce(t.hours, 0) as taken_hours,
         coalesce(t.cancelled, 0) as claims_cancelled
    from parking.profiles p
    left join (
      select o.owner_id, count(*) as spots
        from parking.spots o
       where o.retired_at is null
       group by o.owner_id
    ) s on s.owner_id = p.id
    left join (
      select a.owner_id, count(*) as windows
        from parking.availabilities a
       where a.offered is distinct from '{}'
       group by a.owner_id
    ) w on w.owner_id = p.id
    left join (
      select c.owner_id,
             count(*) as claims,
             round(sum(extract(epoch from c.end_time - c.start_time)) / 3600, 3) as hours
        from parking.claims c
       where c.status <> 'cancelled'
       group by c.owner_id
    ) g on g.owner_id = p.id
    left join (
      select c.claimer_id,
             count(*) filter (where c.status <> 'cancelled') as claims,
             round(sum(extract(epoch from c.end_time - c.start_time)) filter (where c.status <> 'cancelled') / 3600, 3) as hours,
             count(*) filter (where c.status = 'cancelled') as cancelled
        from parking.claims c
       group by c.claimer_id
    ) t on t.claimer_id = p.id;

comment on view reporting.people is
  'One row for each account: what it gave to others and took from them, in the past and to come.';
comment on column reporting.people.profile_id is
  'The account; a key to count by, not a name.';
comment on column reporting.people.is_approved is
  'Whether it is approved now.';
comment on column reporting.people.spots is
  'How many spots it owns; not those that were removed.';
comment on column reporting.people.windows is
  'How many windows of them it has published.';
comment on column reporting.people.claims_given is
  'Active and completed claims of others on its spots.';
comment on column reporting.people.given_hours is
  'How long they are.';
comment on column reporting.people.claims_taken is
  'Its own active and completed claims.';
comment on column reporting.people.taken_hours is
  'How long they are.';
comment on column reporting.people.claims_cancelled is
  'Its own cancelled claims.';
grant select on reporting.people to parking_reporter;
