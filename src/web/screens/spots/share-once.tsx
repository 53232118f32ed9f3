import type { TypedSpan } from "../../parts/span-fields.tsx";
import { addDays, dateOf, timeZone } from "../../time/zone.ts";

/** One working day, tomorrow. */
export function onceAtFirst(now: number): TypedSpan {
  const date = addDays(dateOf(now, timeZone()), 1);
  return { start: { date, time: "08:00" }, end: { date, time: "18:00" } };
}

/** Whole days, starting tomorrow. */
export function daysAtFirst(now: number, days: number): TypedSpan {
  const date = addDays(dateOf(now, timeZone()), 1);
  return { start: { date, time: "00:00" }, end: { date: addDays(date, days), time: "00:00" } };
}
