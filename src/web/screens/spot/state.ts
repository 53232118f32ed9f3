import type { ClaimLimits } from "../../api/building.ts";
import type { Availability, Claim } from "../../api/resources.ts";
import { MINUTE, type Span } from "../../time/zone.ts";
import { proposal, soonest } from "../claim/times.ts";

/** What a spot is at this moment, for the person who stands before it. */
export type SpotState =
  | { readonly kind: "yours"; readonly claim: Claim }
  | { readonly kind: "free"; readonly offer: Offer }
  | { readonly kind: "taken" | "shared"; readonly window: Availability }
  | { readonly kind: "lent"; readonly window: Availability; readonly claim?: Claim }
  | { readonly kind: "none" };

/** A window that the person may claim, and what is proposed of it. */
export interface Offer {
  readonly window: Availability;
  readonly proposed: Span;
  readonly limits: ClaimLimits;
}

interface Known {
  readonly windows: readonly Availability[];
  /** Those on the spot that the person may see. */
  readonly claims: readonly Claim[];
  readonly limits: ClaimLimits;
  readonly personId: string;
  readonly isOwn: boolean;
  readonly now: number;
}

/** What is left of a window for less time than this is of no use. */
const SHORTEST = 15 * MINUTE;

const covers = (row: Availability | Claim, moment: number): boolean =>
  Date.parse(row.start_time) <= moment && moment < Date.parse(row.end_time);

export function stateOf(known: Known): SpotState {
  const { windows, claims, limits, personId, isOwn, now } = known;
  const active = claims.filter(({ status }) => status === "active");
  const window = windows.find((it) => covers(it, now));
  // What one claims now begins in some minutes, or after the notice.
  const first = soonest(now, limits);
  const [own] = active
    .filter(
      ({ claimer_id, start_time, end_time }) =>
        claimer_id === personId && Date.parse(start_time) <= first && now < Date.parse(end_time),
    )
    .toSorted((a, b) => Date.parse(a.start_time) - Date.parse(b.start_time));
  if (own && (!window?.is_claimed || window.id === own.availability_id)) {
    return { kind: "yours", claim: own };
  }
  if (isOwn && window) {
    if (!window.is_claimed) return { kind: "shared", window };
    const claim = active.find((it) => covers(it, now));
    return { kind: "lent", window, ...(claim && { claim }) };
  }
  const [offer] = isOwn ? [] : offersOf(known);
  // The soonest claim begins in some minutes; the window may do so too.
  if (offer && Date.parse(offer.window.start_time) <= soonest(now, {})) {
    return { kind: "free", offer };
  }
  return window?.is_claimed ? { kind: "taken", window } : { kind: "none" };
}

/** What can be claimed, the soonest first. */
export function offersOf({ windows, limits, now }: Known): readonly Offer[] {
  const first = soonest(now, limits);
  return windows
    .filter(({ is_claimed, end_time }) => !is_claimed && Date.parse(end_time) - first >= SHORTEST)
    .map((window) => {
      const span = { start: Date.parse(window.start_time), end: Date.parse(window.end_time) };
      return { window, proposed: proposal(span, {}, now, limits), limits };
    })
    .toSorted((a, b) => a.proposed.start - b.proposed.start);
}
