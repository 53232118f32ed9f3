import type { Availability, Claim } from "../api/resources.ts";
import { grouped } from "../grouped.ts";
import type { Span } from "../time/zone.ts";
import { freeOf, spanOfRow } from "./free.ts";

export const inOrder = (one: Span, other: Span): number => one.start - other.start;

export const claimsByWindow = (claims: readonly Claim[]): ReadonlyMap<string, readonly Claim[]> =>
  grouped(
    claims.filter(({ status }) => status !== "cancelled"),
    ({ availability_id }) => availability_id,
  );

/**
 * If it is neither free nor with a claim, its owner keeps it, or it belongs to a claim that the
 * viewer does not know.
 */
export interface Part extends Span {
  readonly id: string;
  readonly window: Availability;
  readonly isFree: boolean;
  readonly claim: Claim | undefined;
}

/**
 * The parts of a window from its start to its end.
 * @param claims the claims on it that the viewer may know
 */
export function partsOf(window: Availability, claims: readonly Claim[] = []): readonly Part[] {
  const part = ({ start, end }: Span, isFree = false, claim?: Claim): Part => {
    return { id: `${window.id} ${start}`, start, end, window, isFree, claim };
  };
  const known = [
    ...claims.map((claim) => part(spanOfRow(claim), false, claim)),
    ...freeOf(window).map((span) => part(span, true)),
  ].toSorted(inOrder);
  const parts: Part[] = [];
  const { start, end } = spanOfRow(window);
  let at = start;
  for (const next of [...known, { start: end, end }]) {
    // The event of a claim may arrive before the new free parts.
    if (next.start < at) continue;
    if (next.start > at) parts.push(part({ start: at, end: next.start }));
    if ("id" in next) parts.push(next);
    at = next.end;
  }
  return parts;
}

export const partAt = (parts: readonly Part[], moment: number): Part | undefined =>
  parts.find(({ start, end }) => start <= moment && moment < end);

/** The state of a part for the owner of the spot. Without a part, nothing is on offer. */
export const stateOf = (part: Part | undefined) =>
  part?.isFree ? "shared" : part?.claim ? "lent" : "kept";
