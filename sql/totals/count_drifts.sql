/* Counts can only differ from the rows where somebody wrote with triggers turned off, or truncated a table. */
create or replace view private.count_drifts
  with (security_invoker)
as
  select b.day, b.person_id, b.counted, sum(b.kept) as kept, sum(b.actual) as actual
    from (
      select a.day, a.person_id, a.counted, 0 as kept, a.number as actual
        from private.actual_counts a
      union all
      select d.day, null as person_id, n.key, n.value::integer, 0
        from private.day_counts d
       cross join lateral jsonb_each_text(to_jsonb(d) - '{id,day}'::text[]) n
      union all
      select null as day, p.person_id, p.counted, p.number, 0
        from private.person_counts p
    ) b
   group by b.day, b.person_id, b.counted
  having sum(b.kept) <> sum(b.actual);

comment on view private.count_drifts is
  'The counts that differ from the windows and claims: no row while all is well. Slow: reads all of them.';
comment on column private.count_drifts.day is
  'The day in UTC, for a count of a day.';
comment on column private.count_drifts.person_id is
  'The claimer, for a count of a person.';
comment on column private.count_drifts.counted is
  'The column of private.day_counts, or the value of private.person_counts.counted.';
comment on column private.count_drifts.kept is
  'What the counts say.';
comment on column private.count_drifts.actual is
  'How many there are.';
