import { type Building, type Claim, claimOf, type Spot, spotOf, windowOf } from "./building.ts";
import type { Person } from "./person.ts";
import { backdate } from "./rows.ts";

export interface SpotReport {
  readonly id: string;
  readonly spot_id: string;
  readonly reporter_id: string;
  readonly holder_id: string | null;
  readonly is_resolved: boolean;
  readonly vehicle?: string;
  readonly note?: string;
}

/** A spot of the owner that the claimer has claimed now. */
export async function takenSpot(
  building: Building,
  owner: Person,
  claimer: Person,
): Promise<{ readonly spot: Spot; readonly claim: Claim }> {
  const spot = await spotOf(owner);
  const window = await windowOf(owner, spot, 1, 3);
  const claim = await claimOf(claimer, window);
  await backdate(building, "availabilities", window, -1, 3);
  await backdate(building, "claims", claim, -1, 3);
  return { spot, claim };
}

/** Reports a stranger's car. */
export const reportOf = async (person: Person, { id }: Spot, said: object = {}) =>
  (await person.post<{ spot_report: SpotReport }>("/spot-reports", { spot_id: id, ...said }, 201))
    .body.spot_report;
