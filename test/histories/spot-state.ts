import type { Recorded, Span } from "./recorded.ts";

/** A spot with its windows and claims. */
export interface SpotState {
  readonly exists: boolean;
  readonly isOwnerApproved: boolean;
  readonly windows: Readonly<Record<string, WindowState>>;
  readonly claims: Readonly<Record<string, ClaimState>>;
  /** The origin of each piece that became part of another. */
  readonly joined: Readonly<Record<string, string>>;
  /** How many events of each subject are in the log. */
  readonly logged: Readonly<Record<string, number>>;
}

export interface WindowState extends Span {
  /** The same for all pieces of what was one window. */
  readonly origin?: string;
}

export interface ClaimState extends Span {
  readonly window: string;
  readonly claimer: string;
  readonly status: string;
}

/** What somebody does to a spot, and the id of the row that it makes, if it makes one. */
export type Acting = Pick<Recorded, "action" | "person" | "isAdministrator"> & {
  readonly made: string;
};

export const isActive = (claim?: ClaimState): boolean => claim?.status === "active";

export const isClaimed = ({ claims }: SpotState, window: string): boolean =>
  Object.values(claims).some((claim) => claim.window === window && claim.status !== "cancelled");

/** Residents do not see the free windows of a suspended owner. */
export const isHidden = (state: SpotState, window: string): boolean =>
  !state.isOwnerApproved && !isClaimed(state, window);

/** Times in UTC sort as text. */
export const overlaps = ({ windows }: SpotState, span: Span, except?: string): boolean =>
  Object.entries(windows).some(
    ([id, { start, end }]) => id !== except && start < span.end && span.start < end,
  );

export const contains = (window: Span | undefined, { start, end }: Span): boolean =>
  window !== undefined && window.start <= start && end <= window.end;
