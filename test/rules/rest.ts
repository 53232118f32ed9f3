import type { Building, Claim, Window } from "../support/building.ts";
import { hours } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { insertClaim } from "./support.ts";

/** From now on, or no longer, the rest of a claimed window stays on offer. */
export const keepRest = (building: Building, isKept = true) =>
  building.rows("update parking.building set rest_stays_on_offer = $1", [isKept]);

export interface Piece {
  readonly id: string;
  /** In hours from now, as `hours` counts them. */
  readonly from: number;
  readonly to: number;
  readonly claimed: boolean;
}

/** The windows of the spot of this window, by their start. */
export const piecesOf = (building: Building, { spot_id }: Pick<Window, "spot_id">) =>
  building.rows<Piece>(
    `select id,
            (extract(epoch from start_time - $2::timestamptz) / 3600)::float as from,
            (extract(epoch from end_time - $2::timestamptz) / 3600)::float as to,
            is_claimed as claimed
       from parking.availabilities
      where spot_id = $1
      order by start_time`,
    [spot_id, hours(0)],
  );

/** The same without ids: "1-3 free, 3-4 claimed". */
export const layoutOf = async (building: Building, window: Pick<Window, "spot_id">) =>
  (await piecesOf(building, window))
    .map(({ from, to, claimed }) => `${from}-${to} ${claimed ? "claimed" : "free"}`)
    .join(", ");

/** Claims a part of the window by direct SQL. */
export async function claimPart(
  claimer: Person,
  window: Window,
  from: number,
  to: number,
): Promise<Claim> {
  const { rows } = await claimer.sql<{ id: string }>(
    ...insertClaim(window, hours(from), hours(to)),
  );
  const { rows: claims } = await claimer.sql<Claim>("select * from parking.claims where id = $1", [
    rows[0]?.id,
  ]);
  if (claims[0] === undefined) throw new Error("there is no such claim");
  return claims[0];
}
