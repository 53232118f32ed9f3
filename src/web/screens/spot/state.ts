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

/** The state of a spot at this moment, for a person who stands in front of it. */
export type SpotState =
  | { readonly kind: "free"; readonly offer: Offer }
  | { readonly kind: "yours" | "taken" | "shared" | "lent"; readonly part: Part }
  | { readonly kind: "none" };

/** The part of a window that the person may claim, and the proposed part of it. */
export interface Offer {
  readonly window: Availability;
  readonly free: Span;
  readonly proposed: Span;
  readonly limits: ClaimLimits;
}

interface Known {
  readonly windows: readonly Availability[];
  readonly claims: readonly Claim[];
  readonly limits: ClaimLimits;
  /** Whether a claim leaves the rest of its window free. */
  readonly restIsFree: boolean;
  readonly personId: string;
  readonly isOwn: boolean;
  readonly now: number;
}

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
  // A claim that is made now begins in some minutes, or after the notice.
  const first = soonest(now, limits);
  const own = parts.find(
    ({ claim, start, end }) =>
      claim?.status === "active" && claim.claimer_id === personId && start <= first && now < end,
  );
  // Before the start of the person's claim, somebody else may have the spot. If claims take whole
  // windows, the person has it from the start of the window.
  const isOthers =
    part?.isFree === false && part !== own && (restIsFree || part.window !== own?.window);
  if (own && !isOthers) return { kind: "yours", part: own };
  const [offer] = offersOf(known);
  // The soonest claim begins in some minutes, and the free part may do so too.
  if (offer && offer.free.start <= soonest(now, {})) return { kind: "free", offer };
  return part?.isFree === false ? { kind: "taken", part } : { kind: "none" };
}

/** The times that can be claimed, the soonest first. */
export function offersOf({ windows, limits, now }: Known): readonly Offer[] {
  const first = soonest(now, limits);
  return windows
    .flatMap((window) => freeOf(window).map((free) => ({ window, free })))
    .filter(({ free }) => free.end - first >= SHORTEST)
    .map((it) => ({ ...it, proposed: proposal(it.free, {}, now, limits), limits }))
    .toSorted((a, b) => inOrder(a.proposed, b.proposed));
}
