/* After rows were written with triggers turned off: a restore of one table, a bulk load. */
create or replace function private.recount()
  returns void
  language plpgsql
  volatile
  security invoker -- the owner's tool: no grant to the API role
  set search_path = ''
as $$
begin
  -- A writer of windows or claims writes this table after them, and before private.person_counts. With this
  -- lock, those who have counted have committed; the others wait here, and add to the new counts. Windows and
  -- claims are not locked: writers take them in any order.
  lock table private.day_counts in share row exclusive mode;

  delete from private.day_counts;
  insert into private.day_counts (
    day,
    windows_started,
    windows_ended,
    claimed_started,
    claimed_ended,
    active_started,
    active_ended,
    completed_started,
    completed_ended,
    cancelled_started,
    cancelled_ended
  )
  select a.day,
         coalesce(sum(a.number) filter (where a.counted = 'windows_started'), 0),
         coalesce(sum(a.number) filter (where a.counted = 'windows_ended'), 0),
         coalesce(sum(a.number) filter (where a.counted = 'claimed_started'), 0),
         coalesce(sum(a.number) filter (where a.counted = 'claimed_ended'), 0),
         coalesce(sum(a.number) filter (where a.counted = 'active_started'), 0),
         coalesce(sum(a.number) filter (where a.counted = 'active_ended'), 0),
         coalesce(sum(a.number) filter (where a.counted = 'completed_started'), 0),
         coalesce(sum(a.number) filter (where a.counted = 'completed_ended'), 0),
         coalesce(sum(a.number) filter (where a.counted = 'cancelled_started'), 0),
         coalesce(sum(a.number) filter (where a.counted = 'cancelled_ended'), 0)
    from private.actual_counts a
   where a.day is not null
   group by a.day
   order by a.day;

  delete from private.person_counts;
  insert into private.person_counts (person_id, counted, number)
  select a.person_id, a.counted, a.number
    from private.actual_counts a
   where a.person_id is not null
   order by a.person_id, a.counted;
end;
$$;

comment on function private.recount is
  'Makes the counts anew that the totals of lists are sums of.';
