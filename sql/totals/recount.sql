create or replace view private.actual_counts
  with (security_invoker)
as
  select b.day,
         b.counted || b.bound as counted,
         count(*) as number
    from (
      select k.day, n.counted, k.bound
        from parking.availabilities a
       cross join lateral (
         values (private.utc_day(a.start_time), '_started'), (private.utc_day(a.end_time), '_ended')
       ) k (day, bound)
       cross join lateral (
         values ('windows', not a.is_hidden), ('claimed', a.is_claimed)
       ) n (counted, is_counted)
       where n.is_counted
      union all
      select k.day, c.status, k.bound
        from parking.claims c
       cross join lateral (
         values (private.utc_day(c.start_time), '_started'), (private.utc_day(c.end_time), '_ended')
       ) k (day, bound)
    ) b
   group by b.day, b.counted, b.bound;

comment on view private.actual_counts is
  'The counts as the windows and claims give them. Slow: reads all of them.';
comment on column private.actual_counts.day is
  'The day in UTC.';
comment on column private.actual_counts.counted is
  'The column of private.day_counts.';
comment on column private.actual_counts.number is
  'How many there are.';

/* Counts can only differ from the rows where somebody wrote with triggers turned off, or truncated a table. */
create or replace view private.count_drifts
  with (security_invoker)
as
  select b.day, b.counted, sum(b.kept) as kept, sum(b.actual) as actual
    from (
      select a.day, a.counted, 0 as kept, a.number as actual
        from private.actual_counts a
      union all
      select d.day, n.key, n.value::integer, 0
        from private.day_counts d
       cross join lateral jsonb_each_text(to_jsonb(d) - '{id,day}'::text[]) n
    ) b
   group by b.day, b.counted
  having sum(b.kept) <> sum(b.actual);

comment on view private.count_drifts is
  'The counts that differ from the windows and claims: no row while all is well. Slow: reads all of them.';
comment on column private.count_drifts.day is
  'The day in UTC.';
comment on column private.count_drifts.counted is
  'The column of private.day_counts.';
comment on column private.count_drifts.kept is
  'What the counts say.';
comment on column private.count_drifts.actual is
  'How many there are.';

/* After rows were written with triggers turned off: a restore of one table, a bulk load. */
create or replace function private.recount()
  returns void
  language plpgsql
  security invoker -- the owner's tool: no grant to the API role
  set search_path = ''
as $$
begin
  -- A writer of windows or claims writes this table after them. With this lock, those who have counted have
  -- committed; the others wait here, and add to the new counts. Windows and claims are not locked: writers take
  -- them in any order.
  lock table private.day_counts in share row exclusive mode;

  delete from private.day_counts;
  insert into private.day_counts overriding user value -- its id is generated
  select c.*
    from (
      select a.day, jsonb_object_agg(a.counted, a.number) as counts
        from private.actual_counts a
       group by a.day
    ) d
   cross join lateral jsonb_populate_record(
     row(null, d.day, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)::private.day_counts, d.counts
   ) c
   order by c.day;
end;
$$;

comment on function private.recount is
  'Makes the counts anew that the totals of lists are sums of.';
