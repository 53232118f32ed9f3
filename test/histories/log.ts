import type { Arena } from "../support/arena.ts";

/** A row of the log of events. */
export interface Logged {
  readonly type: string;
  readonly subject: string;
  readonly actor: string;
  /** Where it starts and ends, if it is about a window or a claim. */
  readonly start: string | null;
  readonly end: string | null;
  /** Null where it is not about a spot or what belongs to one. */
  readonly spot: string | null;
  readonly spotNumber: string | null;
}

/** The log after this event, in order. */
export async function logSince({ superuser }: Arena, since: string): Promise<readonly Logged[]> {
  const { rows } = await superuser.query<Logged>(
    `with windows as (
       select e.subject_id as id, e.data ->> 'spot_id' as spot_id
         from private.events e
        where e.type = 'availability.created'
     )
     select e.type,
            e.subject_id as subject,
            e.actor_id as actor,
            private.iso8601((e.data ->> 'start_time')::timestamptz) as start,
            private.iso8601((e.data ->> 'end_time')::timestamptz) as "end",
            case split_part(e.type, '.', 1)
              when 'spot' then e.subject_id::text
              when 'availability' then e.data ->> 'spot_id'
              when 'claim' then (
                select w.spot_id from windows w where w.id = (e.data ->> 'availability_id')::uuid
              )
            end as spot,
            e.data ->> 'spot_number' as "spotNumber"
       from private.events e
      where e.id > $1
        and e.type <> 'notification.created' -- invariants.ts compares the notifications themselves
      order by e.id`,
    [since],
  );
  return rows;
}

export async function lastEvent({ superuser }: Arena): Promise<string> {
  const { rows } = await superuser.query<{ id: string }>(
    "select id from private.events order by id desc limit 1",
  );
  if (rows[0] === undefined) throw new Error("there are no events");
  return rows[0].id;
}
