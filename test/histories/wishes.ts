import type { Arena } from "../support/arena.ts";
import { hours } from "../support/building.ts";
import { tell } from "../support/wishes.ts";
import { steadyTarget, type Target } from "./target.ts";

/** Runs the job that notifies those who wait after each request. */
export function tellingTarget(arena: Arena): Target {
  const target = steadyTarget(arena);
  return {
    ...target,
    ask: async (person, request) => {
      const reply = await target.ask(person, request);
      await tell(arena);
      return reply;
    },
  };
}

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
  -- A person who was suspended for a while may not have been told.
  wishes as (
    select w.*
      from parking.wishes w
     where not exists (
       select from logged l where l.subject_id = w.wisher_id and l.type like 'profile.%'
     )
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
  select 'nobody told of a window', w.id
    from wishes w
    join parking.availabilities a
      on a.owner_id <> w.wisher_id
     and a.created_at > w.created_at
     and a.start_time <= w.start_time
     and a.end_time >= w.end_time
     and a.free is null
     and not a.is_claimed
    join parking.profiles p on p.id = a.owner_id and p.is_approved
   where w.claim_id is null
     and w.availability_id is null
     -- A person who frees a window knows that it is free.
     and not exists (
       select from claims c where c.claimer_id = w.wisher_id and c.availability_id = a.id
     )
  union all
  -- What somebody was told says when their turn is, also once the window is taken.
  select 'somebody else claimed what was offered', w.id
    from wishes w
    join parking.notifications n on n.id = w.id
    join claims c
      on c.availability_id = n.availability_id
     and c.claimer_id <> w.wisher_id
     and c.occurred_at > (n.data ->> 'offered_from')::timestamptz
     and c.occurred_at < (n.data ->> 'offered_until')::timestamptz
     and c.start_time <= w.start_time
     and c.end_time >= w.end_time
   where w.claim_id is null
     and c.type = 'claim.submitted'`;

/** What is wrong with the wishes once a history is over. */
export const wrongWishes = async (
  { rows }: Arena,
  since: string,
): Promise<readonly { readonly wrong: string }[]> =>
  rows(`select distinct wrong, id from (${contradictions}) found`, [since]);
