import { setTimeout } from "node:timers/promises";
import type { Arena } from "../support/arena.ts";
import { hours } from "../support/building.ts";
import { freeTimes } from "../support/free-sql.ts";
import { tell } from "../support/wishes.ts";

/** Each who acts waits for a time that the windows of a history may have. */
export const letWait = ({ rows }: Arena): Promise<unknown> =>
  rows(
    `insert into parking.wishes (wisher_id, start_time, end_time)
     select p.id,
            $1::timestamptz + p.number * interval '2 hours' + interval '20 minutes',
            $1::timestamptz + p.number * interval '2 hours' + interval '60 minutes'
       from (select id, row_number() over (order by id) % 5 as number from parking.profiles) p`,
    [hours(24)],
  );

/** Runs the job that tells those who wait, again and again, until it is stopped. */
export function tellAgain(arena: Arena): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const runs = (async () => {
    while (!signal.aborted) {
      await tell(arena);
      await setTimeout(PAUSE_MS);
    }
    await tell(arena);
  })();
  return () => {
    stopping.abort();
    return runs;
  };
}
const PAUSE_MS = 20;

/** Every wish that the log contradicts, with what is wrong about it. */
const contradictions = `
  with logged as materialized (
    select e.id, e.type, e.subject_id, e.occurred_at, e.data,
           (e.data ->> 'start_time')::timestamptz as start_time,
           (e.data ->> 'end_time')::timestamptz as end_time
      from private.events e
     where e.id > $1
  ),
  claims as (
    select l.*,
           (l.data ->> 'claimer_id')::uuid as claimer_id,
           (l.data ->> 'availability_id')::uuid as availability_id
      from logged l
     where l.type in ('claim.submitted', 'claim.updated')
  ),
  wishes as (
    select w.*
      from parking.wishes w
      join parking.profiles p on p.id = w.wisher_id and p.is_approved
  )
  select 'a claim did not fulfil it' as wrong, w.id
    from parking.wishes w
    join claims c
      on c.claimer_id = w.wisher_id
     and c.start_time <= w.start_time
     and c.end_time >= w.end_time
   where w.claim_id is null
  union all
  select 'no claim fulfilled it', w.id
    from parking.wishes w
   where w.claim_id is not null
     and not exists (
       select from claims c
        where c.subject_id = w.claim_id
          and c.claimer_id = w.wisher_id
          and c.start_time <= w.start_time
          and c.end_time >= w.end_time
     )
  union all
  select 'nobody told of what is free', w.id
    from wishes w
    join ${freeTimes} f on f.free @> tstzrange(w.start_time, w.end_time)
    join parking.spots s on s.id = f.spot_id and s.retired_at is null and s.owner_id <> w.wisher_id
    join parking.profiles o on o.id = s.owner_id and o.is_approved
   where w.claim_id is null
     -- In the log, for a notification goes with its spot.
     and not exists (
       select from logged l where l.type = 'notification.created' and l.subject_id = w.id
     )
  union all
  select 'somebody else claimed what was offered', w.id
    from wishes w
    join claims c
      on c.availability_id = w.availability_id
     and c.claimer_id <> w.wisher_id
     and c.occurred_at > w.offered_from
     and c.occurred_at < w.offered_until
     and c.start_time < w.end_time
     and c.end_time > w.start_time
    -- The window as it was on offer then: its owner may have made it too short for the wish.
    join lateral (
      select l.start_time, l.end_time
        from logged l
       where l.subject_id = c.availability_id
         and l.type in ('availability.created', 'availability.updated')
         and not (l.data ->> 'is_claimed')::boolean
         and l.id < c.id
       order by l.id desc
       limit 1
    ) v on v.start_time <= w.start_time and v.end_time >= w.end_time
   where w.claim_id is null
     and c.type = 'claim.submitted'`;

/** What is wrong with the wishes once a history is over. */
export const wrongWishes = async (
  { rows }: Arena,
  since: string,
): Promise<readonly { readonly wrong: string }[]> =>
  rows(`select distinct wrong, id from (${contradictions}) found`, [since]);
