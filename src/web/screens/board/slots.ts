import type { Availability, Claim, Spot } from "../../api/resources.ts";
import type { Text } from "../../messages/translate.ts";

/** What a window is for the person who looks at it. */
export type SlotState =
  | "free"
  | "taken"
  /** The person claimed it. */
  | "yours"
  /** On the person's own spot, and nobody claimed it. */
  | "shared"
  /** On the person's own spot, and a neighbour claimed it. */
  | "lent"
  /** Nobody claimed it, and it is over. */
  | "over";

/** A bar of the board. */
export interface Slot {
  readonly window: Availability;
  readonly spot: Spot;
  readonly state: SlotState;
  readonly start: number;
  readonly end: number;
  readonly claim?: Claim;
  /** Who claimed it, for those who may know. */
  readonly holder?: Text;
}

export interface Row {
  readonly spot: Spot;
  readonly slots: readonly Slot[];
}

export interface BoardData {
  readonly spots: readonly Spot[];
  readonly windows: readonly Availability[];
  /** Those that the person made, and those on the person's spots. */
  readonly claims: readonly Claim[];
}

/** A row for each spot, also for those without windows. */
export function rowsOf(data: BoardData, personId: string, now: number): readonly Row[] {
  const claims = new Map(
    data.claims
      .filter(({ status }) => status !== "cancelled")
      .map((claim) => [claim.availability_id, claim]),
  );
  const bySpot = Map.groupBy(data.windows, (window) => window.spot_id);
  return data.spots.map((spot) => ({
    spot,
    slots: (bySpot.get(spot.id) ?? [])
      .map((window) => slotOf(window, spot, claims.get(window.id), personId, now))
      .toSorted((a, b) => a.start - b.start),
  }));
}

function slotOf(
  window: Availability,
  spot: Spot,
  claim: Claim | undefined,
  personId: string,
  now: number,
): Slot {
  const isOwn = spot.owner_id === personId;
  const isYours = claim?.claimer_id === personId;
  const shown = isOwn || isYours ? (claim ?? window) : window;
  const end = Date.parse(shown.end_time);
  const open = end <= now ? "over" : isOwn ? "shared" : "free";
  const held = isYours ? "yours" : isOwn ? "lent" : "taken";
  return {
    window,
    spot,
    state: window.is_claimed ? held : open,
    start: Date.parse(shown.start_time),
    end,
    ...(claim && { claim }),
  };
}

/** Whether the person may claim it, or the rest of it. */
export const isClaimable = ({ state }: Slot): boolean => state === "free";

/** Whether there is something to do with it, or to read of it. */
export const isOpenable = ({ state, holder }: Slot): boolean =>
  state !== "over" && (state !== "taken" || holder !== undefined);
