import type { Building, Claim, Window } from "../support/building.ts";
import { hours } from "../support/building.ts";
import * as doors from "../support/doors.ts";
import type { Person } from "../support/person.ts";

/** From now on, or no longer, the rest of a claimed window stays on offer. */
export const keepRest = (building: Building, isKept = true) =>
  building.rows("update parking.building set rest_stays_on_offer = $1", [isKept]);

/** What of a spot is free, and what claims take, in hours from now: "1-3 free, 3-4 claimed". */
export async function layoutOf(
  building: Building,
  { spot_id }: Pick<Window, "spot_id">,
): Promise<string> {
  const rows = await building.rows<{ span: string }>(
    `select format('%s-%s %s', s.from, s.to, s.state) as span
       from (
         select (extract(epoch from lower(x.span) - $2::timestamptz) / 3600)::float as from,
                (extract(epoch from upper(x.span) - $2::timestamptz) / 3600)::float as to,
                x.state
           from (
             select unnest(private.free_times(a)) as span, 'free' as state
               from parking.availabilities a where a.spot_id = $1
             union all
             select c.takes, 'claimed' from parking.claims c where c.spot_id = $1
           ) x
          where x.span is not null
       ) s
      order by s.from`,
    [spot_id, hours(0)],
  );
  return rows.map(({ span }) => span).join(", ");
}

/** Claims a part of the window by direct SQL. */
export async function claimPart(
  claimer: Person,
  window: Window,
  from: number,
  to: number,
): Promise<Claim> {
  await claimer.sql(...doors.claim(window, from, to).sql);
  const newest = "select * from parking.claims where claimer_id = $1 order by id desc limit 1";
  const [claim] = (await claimer.sql<Claim>(newest, [claimer.id])).rows;
  if (claim === undefined) throw new Error("there is no such claim");
  return claim;
}
