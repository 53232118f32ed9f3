import type { Availability, Claim, Profile, Spot } from "../../api/resources.ts";
import { plain } from "../../messages/translate.ts";
import { describe } from "../../parts/administration/people.ts";
import type { Row, Slot } from "../board/slots.ts";

/** A bar for each window, or for the claim that holds it. */
export function garageRows(
  spots: readonly Spot[],
  windows: readonly Availability[],
  claims: readonly Claim[],
  people: ReadonlyMap<string, Profile>,
  now: number,
): readonly Row[] {
  const held = new Map(
    claims
      .filter(({ status }) => status !== "cancelled")
      .map((claim) => [claim.availability_id, claim]),
  );
  const bySpot = Map.groupBy(windows, (window) => window.spot_id);
  const slotOf = (window: Availability, spot: Spot): Slot => {
    const claim = held.get(window.id);
    const { start_time, end_time } = claim ?? window;
    const end = Date.parse(end_time);
    return {
      window,
      spot,
      state: claim ? "taken" : end <= now ? "over" : "free",
      start: Date.parse(start_time),
      end,
      ...(claim && { claim, holder: plain(describe(people, claim.claimer_id)) }),
    };
  };
  return spots.map((spot) => ({
    spot,
    slots: (bySpot.get(spot.id) ?? [])
      .map((window) => slotOf(window, spot))
      .toSorted((a, b) => a.start - b.start),
  }));
}
