import { useEffect } from "preact/hooks";
import { type OwnClaim, phaseOf } from "../../api/own-claims.ts";
import type { Text } from "../../messages/translate.ts";
import { createStore, useStore } from "../../store.ts";
import { useReturn } from "../../time/clock.ts";

/**
 * A claim that was cancelled or finished stays in its place until the person leaves the screen, or
 * the page for a while. Otherwise the next claims would move up under the finger, and a second tap
 * would end the next claim.
 */

interface Closed extends OwnClaim {
  readonly outcome: Text;
  readonly canUndo: boolean;
  /** The start that was shown before the claim was closed. It decides the place in the list. */
  readonly place: string;
}

export type ShownClaim = OwnClaim & Partial<Closed>;

const closed = createStore<readonly Closed[]>([]);

export const keepInPlace = (
  claim: OwnClaim,
  outcome: Text,
  canUndo: boolean,
  place: string,
): void => closed.set([...closed.get(), { ...claim, outcome, canUndo, place }]);

/**
 * Called when an entry of a list ends. What replaces its buttons takes as much space as they did.
 * The large claim closes up: what moves there does nothing for a second (../presses.ts).
 */
export function keepPlace(button: Element): void {
  const box = button.closest<HTMLElement>(".card:not(.hero), .claim-row");
  box?.style.setProperty("min-height", `${box.getBoundingClientRect().height}px`);
}

/** The time was claimed again. The old claim stays until the new one has been read. */
export const wasUndone = ({ id }: OwnClaim): void =>
  closed.set(closed.get().map((one) => (one.id === id ? { ...one, canUndo: false } : one)));

/** The claims that are not over, and those that were just closed, each in its place. */
export function useInPlace(claims: readonly OwnClaim[], now: number): readonly ShownClaim[] {
  const ended = useStore(closed);
  useEffect(() => () => closed.set([]), []);
  useReturn(() => closed.set([]));
  const isEnded = new Set(ended.map(({ id }) => id));
  const others = claims.filter((it) => !isEnded.has(it.id));
  // A claim that was made again is among the others.
  const isBack = (one: Closed) =>
    others.some(({ spot, start_time }) => spot.id === one.spot.id && start_time === one.start_time);
  const placeOf = ({ start_time, place = start_time }: ShownClaim) => Date.parse(place);
  return [
    ...others.filter((it) => phaseOf(it, now) !== "earlier"),
    ...ended.filter((one) => !isBack(one)),
  ].toSorted((a, b) => placeOf(a) - placeOf(b));
}
