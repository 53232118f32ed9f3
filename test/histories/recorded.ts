import type { Claim, Spot, Window } from "../support/building.ts";
import type { Shown } from "../support/free-time.ts";
import type { Timed } from "./linearize.ts";

export interface Span {
  readonly start: string;
  readonly end: string;
}
interface OfSpot {
  readonly spot: string;
}
interface OfWindow extends OfSpot {
  readonly window: string;
}
interface OfClaim extends OfSpot {
  readonly claim: string;
}

/** What a client asked the service to do. */
export type Action =
  | { readonly kind: "register spot"; readonly spotNumber: string }
  | ({ readonly kind: "delete spot" } & OfSpot)
  | ({ readonly kind: "publish window" } & OfSpot & Span)
  | ({ readonly kind: "move window" } & OfWindow & Span)
  | ({ readonly kind: "delete window" } & OfWindow)
  | ({ readonly kind: "claim" } & OfWindow & Span)
  | ({ readonly kind: "close claim"; readonly status: "cancelled" | "completed" } & OfClaim)
  | ({ readonly kind: "move claim" } & OfClaim & Span)
  | ({ readonly kind: "delete claim" } & OfClaim)
  | ({ readonly kind: "read windows" } & OfSpot)
  | ({ readonly kind: "read claims" } & OfSpot)
  | { readonly kind: "approve"; readonly resident: string; readonly isApproved: boolean };

export type Kind = Action["kind"];

/** What an answer may carry. */
export interface Body {
  readonly spot?: Spot;
  readonly availability?: Window;
  readonly availabilities?: readonly Shown[];
  readonly claim?: Claim;
  readonly claims?: readonly Claim[];
  readonly profile?: { readonly is_approved: boolean };
}

/** 2xx: it happened; 4xx: it did not; 5xx, or no answer: nobody knows. */
export type Outcome =
  | { readonly result: "happened"; readonly body: Body }
  | { readonly result: "refused"; readonly code: string }
  | { readonly result: "unknown"; readonly why: string };

/** What one client saw of one operation. */
export interface Recorded extends Timed {
  /** It counts the operations of the plan. The times that an operation writes differ from all others by it. */
  readonly number: number;
  readonly person: string;
  readonly isAdministrator: boolean;
  readonly action: Action;
  readonly outcome: Outcome;
}
