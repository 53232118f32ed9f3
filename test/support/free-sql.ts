/**
 * Subqueries over what is offered, taken and kept, for checks in SQL past all policies. A claim of a window
 * that has no time of its own takes all of it.
 */

const takes = "coalesce((to_jsonb(c) ->> 'takes')::tstzrange, a.during)";

/** What live claims take: id, availability_id, spot_id, held (their own time), takes. */
export const takenTimes = `(
  select c.id, c.availability_id, c.spot_id, tstzrange(c.start_time, c.end_time) as held, ${takes} as takes
    from parking.claims c
    join parking.availabilities a on a.id = c.availability_id
   where c.status <> 'cancelled'
)`;

/** What is offered of each window, and what of it is free: id, spot_id, during, is_claimed, offered, free. */
export const freeTimes = `(
  select a.id, a.spot_id, a.during, a.is_claimed, o.offered, t.taken, o.offered - t.taken as free
    from parking.availabilities a
   cross join lateral (
     select coalesce((to_jsonb(a) ->> 'offered')::tstzmultirange, a.during::tstzmultirange) as offered
   ) o
   cross join lateral (
     select coalesce(range_agg(${takes}), '{}') as taken
       from parking.claims c
      where c.availability_id = a.id
        and c.status <> 'cancelled'
   ) t
)`;
