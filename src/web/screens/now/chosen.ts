import { type Building, useBuilding } from "../../api/building.ts";
import { updateQuery, useRoute } from "../../routing.ts";
import { dateOf, iso, momentIn, type Span, timeZone } from "../../time/zone.ts";
import { soonest, usualEnd } from "../claim/times.ts";
import { spanOf, type When, whens } from "./spans.ts";

/** The time for which a person looks for a spot. It is in the address, to be stored and sent. */
export interface Chosen extends Span {
  readonly name: When | "until";
}

/** Undefined if the address has times that do not exist. */
export function useChosen(now: number): Chosen | undefined {
  const { query } = useRoute();
  const building = useBuilding();
  if (query.start || query.end) return typed(query, now, building);
  const name = whens.find((when) => when === query.when) ?? "now";
  return named(name, now, building) ?? named("now", now, building);
}

function named(name: When, now: number, building: Building): Chosen | undefined {
  const span = spanOf(name, now, building, timeZone());
  return span && { name, ...span };
}

function typed(
  query: Readonly<Record<string, string>>,
  now: number,
  building: Building,
): Chosen | undefined {
  const start = query.start ? momentIn(query.start) : soonest(now, building);
  if (start === undefined) return undefined;
  const end = query.end ? momentIn(query.end) : usualEnd(start, building);
  return end === undefined ? undefined : { name: "until", start, end };
}

/** The names of times that still exist: if the notice is long, no evening is left today. */
export const useNames = (now: number): readonly When[] => {
  const building = useBuilding();
  return whens.filter((when) => named(when, now, building) !== undefined);
};

/** A named time moves with the present, and the next tomorrow is another day. */
export function keyOf({ name, start, end }: Chosen): string {
  if (name === "until") return `${start} ${end}`;
  return name === "tomorrow" ? `${name} ${dateOf(start, timeZone())}` : name;
}

export const choose = (when: When): void =>
  updateQuery({ when: when === "now" ? undefined : when, start: undefined, end: undefined });

export const chooseTimes = ({ start, end }: Span): void =>
  updateQuery({ when: undefined, start: iso(start), end: iso(end) });
