import type { Outcome, Span } from "../../../histories/recorded.ts";
import type { Request } from "../../../histories/request.ts";
import { dayAfter, everyDay } from "../../../support/patterns.ts";

/** What people do with the plan of a spot: the owner shares hours, keeps some, and others claim. */
export type Action =
  | { readonly kind: "share weekly"; readonly first: number; readonly until: number }
  | { readonly kind: "widen pattern"; readonly pattern: string; readonly until: number }
  | { readonly kind: "delete pattern"; readonly pattern: string }
  | ({ readonly kind: "keep" | "share" } & Span)
  | { readonly kind: "delete exception"; readonly exception: string }
  | ({ readonly kind: "claim"; readonly window: string } & Span)
  | { readonly kind: "cancel claim" | "delete claim"; readonly claim: string }
  | { readonly kind: "read windows" };

/** What one client saw of one operation. */
export interface Recorded {
  readonly person: string;
  readonly sent: number;
  readonly answered: number;
  readonly action: Action;
  readonly outcome: Outcome;
}

/** A pattern has two days. Each has days of its own, so that no other stands in its way. */
export const DAYS = 2;
/** Everything starts and ends with a slot of two hours. */
export const SLOT_HOURS = 2;
/** Patterns share from this hour on; exceptions share later hours than patterns. */
export const FIRST_HOUR = 4;
export const LAST_HOUR = 16;

/** Hours after the start of a day that is some days ahead. */
export const at = (day: number, hour: number): string =>
  new Date(Date.parse(`${dayAfter(day)}T00:00:00Z`) + hour * 3_600_000).toISOString();

const clock = (hour: number): string => `${String(hour).padStart(2, "0")}:00`;

export function requestOf(action: Action, spot: string): Request {
  const times = "start" in action && { start_time: action.start, end_time: action.end };
  switch (action.kind) {
    case "share weekly":
      return {
        method: "POST",
        path: "/patterns",
        body: {
          spot_id: spot,
          weekdays: everyDay,
          starts_at: clock(FIRST_HOUR),
          ends_at: clock(action.until),
          first_day: dayAfter(action.first),
          last_day: dayAfter(action.first + DAYS - 1),
        },
      };
    case "widen pattern":
      return {
        method: "PUT",
        path: `/patterns/${action.pattern}`,
        body: { ends_at: clock(action.until) },
        isConditional: true,
      };
    case "delete pattern":
      return { method: "DELETE", path: `/patterns/${action.pattern}`, isConditional: true };
    case "keep":
    case "share":
      return {
        method: "POST",
        path: "/exceptions",
        body: { spot_id: spot, kind: action.kind, ...times },
      };
    case "delete exception":
      return { method: "DELETE", path: `/exceptions/${action.exception}` };
    case "claim":
      return {
        method: "POST",
        path: "/claims",
        body: { availability_id: action.window, ...times },
      };
    case "cancel claim":
      return { method: "PUT", path: `/claims/${action.claim}`, body: { status: "cancelled" } };
    case "delete claim":
      return { method: "DELETE", path: `/claims/${action.claim}` };
    case "read windows":
      // Not those that were withdrawn: they lie in the past.
      return {
        method: "GET",
        path: `/availabilities?spot_id=${spot}&overlaps_start=${at(2, 0)}&limit=200`,
      };
  }
}
