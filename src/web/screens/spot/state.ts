import type { ClaimLimits } from "../../api/building.ts";
import type { Availability, Claim } from "../../api/resources.ts";
import {
  claimsByWindow,
  freeOf,
  inOrder,
  stateOf as ofOwner,
  type Part,
  partAt,
  partsOf,
} from "../../parts/free.ts";
import { MINUTE, type Span } from "../../time/zone.ts";
import { proposal, soonest } from "../claim/times.ts";

/** What a spot is at this moment, for the person who stands before it. */
export type SpotState =
  | { readonly kind: "yours"; readonly claim: Claim }
  | { readonly kind: "free"; readonly offer: Offer }
  | { readonly kind: "taken" | "shared" | "lent"; readonly part: Part }
  | { readonly kind: "none" };

/** What of a window the person may claim, and what is proposed of it. */
export interface Offer {
  readonly window: Availability;
  readonly free: Span;
  readonly proposed: Span;
  readonly limits: ClaimLimits;
}

interface Known {
  readonly windows: readonly Availability[];
  /** Those on the spot that the person may see. */
  readonly claims: readonly Claim[];
  readonly limits: ClaimLimits;
  /** Whether claims leave the rest of a window free. */
  readonly restIsFree: boolean;
  readonly personId: string;
  readonly isOwn: boolean;
  readonly now: number;
}

/** What is left of a window for less time than this is of no use. */
const SHORTEST = 15 * MINUTE;

export function stateOf(known: Known): SpotState {
  const { windows, claims, limits, restIsFree, personId, isOwn, now } = known;
  const held = claimsByWindow(claims);
  const part = partAt(
    windows.flatMap((window) => partsOf(window, held.get(window.id))),
    now,
  );
  if (isOwn) {
    const state = part ? ofOwner(part) : "kept";
    return part === undefined || state === "kept" ? { kind: "none" } : { kind: state, part };
  }
  // What one claims now begins in some minutes, or after the notice.
  const first = soonest(now, limits);
  const [own] = claims
    .filter(
      ({ status, claimer_id, start_time, end_time }) =>
        status === "active" &&
        claimer_id === personId &&
        Date.parse(start_time) <= first &&
        now < Date.parse(end_time),
    )
    .toSorted((a, b) => Date.parse(a.start_time) - Date.parse(b.start_time));
  // Until then somebody else may have it. A claim that takes its window whole has it from the beginning.
  const isOthers =
    part !== undefined &&
    !part.isFree &&
    part.claim?.id !== own?.id &&
    (restIsFree || part.window.id !== own?.availability_id);
  if (own && !isOthers) return { kind: "yours", claim: own };
  const [offer] = offersOf(known);
  // The soonest claim begins in some minutes; what is free may do so too.
  if (offer && offer.free.start <= soonest(now, {})) return { kind: "free", offer };
  return part && !part.isFree ? { kind: "taken", part } : { kind: "none" };
}

/** What can be claimed, the soonest first. */
export function offersOf({ windows, limits, now }: Known): readonly Offer[] {
  const first = soonest(now, limits);
  return windows
    .flatMap((window) => freeOf(window).map((free) => ({ window, free })))
    .filter(({ free }) => free.end - first >= SHORTEST)
    .map((it) => ({ ...it, proposed: proposal(it.free, {}, now, limits), limits }))
    .toSorted((a, b) => inOrder(a.proposed, b.proposed));
}
