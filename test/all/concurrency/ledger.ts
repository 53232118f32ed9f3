import { expect } from "@jest/globals";
import { contradictions } from "../../concurrency/consistency.ts";
import type { Arena } from "../../support/arena.ts";
import { freeTimes, takenTimes } from "../../support/free-sql.ts";

/** What owners offered and withdrew, written in the transaction in which they did. */
export const openLedger = ({ superuser }: Arena) =>
  superuser.query(
    `create table public.ledger (
       spot_id uuid not null,
       during tstzrange not null,
       sign integer not null
     );
     grant insert on public.ledger to parking_api`,
  );

/** Each moment at which another time is free or taken than was offered. */
const lostOrDoubled = `
  with moments as (
    select spot_id, unnest(array[lower(during), upper(during)]) as moment from public.ledger
    union
    select spot_id, unnest(array[lower(during), upper(during)]) from parking.availabilities
    union
    select spot_id, unnest(array[lower(takes), upper(takes)]) from ${takenTimes} t
  )
  select m.*, o.offered, f.free, t.taken
    from moments m
   cross join lateral (
     select coalesce(sum(l.sign), 0)::integer as offered
       from public.ledger l
      where l.spot_id = m.spot_id and l.during @> m.moment
   ) o
   cross join lateral (
     select count(*)::integer as free
       from ${freeTimes} f
      where f.spot_id = m.spot_id and f.free @> m.moment
   ) f
   cross join lateral (
     select count(*)::integer as taken
       from ${takenTimes} t
      where t.spot_id = m.spot_id and t.takes @> m.moment
   ) t
   where o.offered <> f.free + t.taken`;

/** What else is wrong about windows, and about what the log says of them. */
const wrongWindows = `
  select 'more is taken than was claimed' as wrong, t.id
    from ${takenTimes} t
   where t.takes <> t.held
  union all
  select 'a claim was deleted that nobody deleted', e.subject_id
    from private.events e
   where e.type = 'claim.deleted'
     and e.actor_id::text <> e.data ->> 'claimer_id'
     and not exists (
       select from private.events w
        where w.type = 'availability.deleted'
          and w.subject_id::text = e.data ->> 'availability_id'
          and w.xmin::text = e.xmin::text
     )
  union all
  select 'a window was deleted that its owner kept', e.subject_id
    from private.events e
    join parking.spots s on s.id::text = e.data ->> 'spot_id'
   where e.type = 'availability.deleted' and e.actor_id <> s.owner_id
  union all
  select 'the log has another window than the table', coalesce(a.id, e.subject_id)
    from (
      select distinct on (subject_id) subject_id, type, data
        from private.events
       where type like 'availability.%'
       order by subject_id, id desc
    ) e
    full join parking.availabilities a on a.id = e.subject_id
   where (a.id is null) <> (e.type = 'availability.deleted')
      or (e.data ->> 'start_time')::timestamptz <> a.start_time
      or (e.data ->> 'end_time')::timestamptz <> a.end_time
  union all
  select 'a notification of what nobody deleted', n.id
    from parking.notifications n
   where n.kind = 'availability.deleted'`;

/** No overlap, no drift, no lost claim, no false event. */
export async function expectOrderOfWindows({ superuser }: Arena): Promise<void> {
  const broken = [wrongWindows, contradictions, "table private.count_drifts"];
  for (const sql of broken) expect((await superuser.query(sql)).rows).toEqual([]);
}

/** And no lost minute. */
export async function expectNothingLost(arena: Arena): Promise<void> {
  expect((await arena.superuser.query(lostOrDoubled)).rows).toEqual([]);
  await expectOrderOfWindows(arena);
}
