import { useEffect } from "preact/hooks";
import type { OwnClaim } from "../../api/own-claims.ts";
import { createStore, useStore } from "../../store.ts";
import { useReturn } from "../../time/return.ts";

/**
 * What was cancelled or finished stays in its place until the screen is left, or the page for a while: what
 * comes after it would slide under the finger, and a second tap would end the next claim.
 */

interface Closed extends OwnClaim {
  readonly canUndo: boolean;
  /** When it began as it was shown, which may be older than what was closed: there is its place. */
  readonly place: string;
}

/** A claim as it is shown. */
export type ShownClaim = OwnClaim & Partial<Closed>;

const closed = createStore<readonly Closed[]>([]);

export const keepInPlace = (claim: OwnClaim, canUndo: boolean, place: string): void =>
  closed.set([...closed.get(), { ...claim, canUndo, place }]);

/** Called when something is ended: what is shown instead of the buttons takes as much space as they did. */
export function keepPlace(button: Element): void {
  const box = button.closest<HTMLElement>(".card, .claim-row");
  box?.style.setProperty("min-height", `${box.getBoundingClientRect().height}px`);
}

/** It was claimed again. It stays until that claim has been read. */
export const wasUndone = ({ id }: OwnClaim): void =>
  closed.set(closed.get().map((one) => (one.id === id ? { ...one, canUndo: false } : one)));

/** The current claims, and those that were just closed, where they were. */
export function useInPlace(current: readonly OwnClaim[]): readonly ShownClaim[] {
  const kept = useStore(closed);
  useEffect(() => () => closed.set([]), []);
  useReturn(() => closed.set([]));
  const isKept = new Set(kept.map(({ id }) => id));
  const others = current.filter(({ id }) => !isKept.has(id));
  // One that was claimed again is among the others.
  const isBack = (one: Closed) =>
    others.some(({ spot, startTime }) => spot.id === one.spot.id && startTime === one.startTime);
  const placeOf = ({ startTime, place = startTime }: ShownClaim) => Date.parse(place);
  return [...others, ...kept.filter((one) => !isBack(one))].toSorted(
    (a, b) => placeOf(a) - placeOf(b),
  );
}
