import type { Availability, Claim } from "../api/resources.ts";
import { grouped } from "../grouped.ts";
import type { Span } from "../time/zone.ts";

/** The one place of the page that says what of a window is free, and what is not. */

interface Row {
  readonly start_time: string;
  readonly end_time: string;
}

export const spanOfRow = ({ start_time, end_time }: Row): Span => ({
  start: Date.parse(start_time),
  end: Date.parse(end_time),
});

/** In the order of time. */
export const freeOf = (window: Availability): readonly Span[] =>
  window.is_claimed ? [] : (window.free ?? [window]).map(spanOfRow);

/** The claims that hold windows, by the ids of those. */
export const claimsByWindow = (claims: readonly Claim[]): ReadonlyMap<string, readonly Claim[]> =>
  grouped(
    claims.filter(({ status }) => status !== "cancelled"),
    ({ availability_id }) => availability_id,
  );

/** Neither free nor with a claim: its owner keeps it, or a claim takes it that the viewer does not know. */
export interface Part extends Span {
  readonly id: string;
  readonly window: Availability;
  readonly isFree: boolean;
  readonly claim?: Claim;
}

/**
 * A window from its beginning to its end.
 *
 * @param claims those that hold it, as far as the viewer may know
 */
export function partsOf(window: Availability, claims: readonly Claim[] = []): readonly Part[] {
  const part = ({ start, end }: Span, isFree: boolean, claim?: Claim): Part => {
    const id = `${window.id} ${start}`;
    return { id, start, end, window, isFree, ...(claim && { claim }) };
  };
  const claimed = claims.map((claim) => part(spanOfRow(claim), false, claim));
  // A claim may be heard of before what it leaves free.
  const isLeft = (span: Span) => !claimed.some((it) => it.start < span.end && span.start < it.end);
  const free = freeOf(window).filter(isLeft);
  const parts: Part[] = [];
  const { start, end } = spanOfRow(window);
  let at = start;
  const fillUntil = (moment: number) => {
    if (at < moment) parts.push(part({ start: at, end: moment }, false));
  };
  for (const known of [...claimed, ...free.map((span) => part(span, true))].toSorted(inOrder)) {
    fillUntil(known.start);
    parts.push(known);
    at = known.end;
  }
  fillUntil(end);
  return parts;
}

export const inOrder = (one: Span, other: Span): number => one.start - other.start;

/** What holds at a moment. */
export const partAt = (parts: readonly Part[], moment: number): Part | undefined =>
  parts.find(({ start, end }) => start <= moment && moment < end);

/** What a part is for the owner of the spot. */
export const stateOf = ({ isFree, claim }: Part) => (isFree ? "shared" : claim ? "lent" : "kept");
