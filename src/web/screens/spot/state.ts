import type { ClaimLimits } from "../../api/building.ts";
import type { Availability, Claim } from "../../api/resources.ts";
import { freeOf } from "../../parts/free.ts";
import {
  claimsByWindow,
  inOrder,
  stateOf as ofOwner,
  type Part,
  partAt,
  partsOf,
} from "../../parts/window-parts.ts";
import { MINUTE, type Span } from "../../time/zone.ts";
import { proposal, soonest } from "../claim/times.ts";

/** What a spot is at this moment, for the person who stands before it. */
export type SpotState =
  | { readonly kind: "free"; readonly offer: Offer }
  | { readonly kind: "yours" | "taken" | "shared" | "lent"; readonly part: Part }
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
  /** As far as the person may see them. */
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
  const parts = windows.flatMap((it) => partsOf(it, held.get(it.id))).toSorted(inOrder);
  const part = partAt(parts, now);
  if (isOwn) {
    const kind = ofOwner(part);
    return part && kind !== "kept" ? { kind, part } : { kind: "none" };
  }
  // What one claims now begins in some minutes, or after the notice.
  const first = soonest(now, limits);
  const own = parts.find(
    ({ claim, start, end }) =>
      claim?.status === "active" && claim.claimer_id === personId && start <= first && now < end,
  );
  // Until then somebody else may have it. A claim that takes its window whole has it from the beginning.
  const isOthers =
    part?.isFree === false && part !== own && (restIsFree || part.window !== own?.window);
  if (own && !isOthers) return { kind: "yours", part: own };
  const [offer] = offersOf(known);
  // The soonest claim begins in some minutes; what is free may do so too.
  if (offer && offer.free.start <= soonest(now, {})) return { kind: "free", offer };
  return part?.isFree === false ? { kind: "taken", part } : { kind: "none" };
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
