/** Subqueries over what is offered, taken and free, for checks in SQL past all policies. */

/** What live claims take: id, availability_id, spot_id, held (their own time), takes. */
export const takenTimes = `(
  select c.id, c.availability_id, c.spot_id, c.held, c.takes
    from parking.claims c
   where c.status <> 'cancelled'
)`;

/** What is offered of each window, and what of it is free: id, spot_id, during, is_claimed, offered, free. */
export const freeTimes = `(
  select a.id, a.spot_id, a.during, a.is_claimed, o.offered, t.taken, o.offered - t.taken as free
    from parking.availabilities a
   cross join lateral (
     select coalesce(a.offered, a.during::tstzmultirange) as offered
   ) o
   cross join lateral (
     select coalesce(range_agg(c.takes), '{}') as taken
       from parking.claims c
      where c.availability_id = a.id
        and c.status <> 'cancelled'
   ) t
)`;
