import type { Recorded, Span } from "./recorded.ts";

/** A spot with its windows and claims. */
export interface SpotState {
  readonly exists: boolean;
  readonly isOwnerApproved: boolean;
  /** Whether the rest of a window stays on offer. */
  readonly keepsRest: boolean;
  readonly windows: Readonly<Record<string, Span>>;
  readonly claims: Readonly<Record<string, ClaimState>>;
  /** How many events of each subject are in the log. */
  readonly logged: Readonly<Record<string, number>>;
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

/** Whether a live claim is on the window; `except` is a claim that does not count. */
export const isHeld = ({ claims }: SpotState, window: string, except?: string): boolean =>
  Object.entries(claims).some(
    ([id, claim]) => id !== except && claim.window === window && claim.status !== "cancelled",
  );

/** What claims take of a window: their own time, or all of it. */
const takenOf = ({ keepsRest, windows, claims }: SpotState, window: string, except?: string) =>
  Object.entries(claims)
    .filter(([id, it]) => id !== except && it.window === window && it.status !== "cancelled")
    .map(([, claim]): Span => (keepsRest ? claim : (windows[window] ?? claim)));

/** What is free of a window: nothing where its spot was removed. */
export const freeOf = (state: SpotState, window: string): readonly Span[] => {
  const whole = state.exists ? state.windows[window] : undefined;
  return takenOf(state, window).reduce(
    (free: readonly Span[], taken) =>
      free.flatMap(({ start, end }) =>
        [
          { start, end: earliest(end, taken.start) },
          { start: latest(start, taken.end), end },
        ].filter((it) => it.start < it.end),
      ),
    whole ? [{ start: whole.start, end: whole.end }] : [],
  );
};

/** Whether claims leave nothing of the window. */
export const isClaimed = (state: SpotState, window: string): boolean =>
  isHeld(state, window) && freeOf(state, window).length === 0;

/** Whether a claim of this time would take what another takes. */
export const isTaken = (state: SpotState, window: string, span: Span, except?: string): boolean =>
  takenOf(state, window, except).some(({ start, end }) => start < span.end && span.start < end);

/** Residents do not see what is free of a suspended owner. */
export const isHidden = (state: SpotState, window: string): boolean =>
  !state.isOwnerApproved && !isClaimed(state, window);

export const overlaps = ({ windows }: SpotState, span: Span, except?: string): boolean =>
  Object.entries(windows).some(
    ([id, { start, end }]) => id !== except && start < span.end && span.start < end,
  );

export const contains = (window: Span | undefined, { start, end }: Span): boolean =>
  window !== undefined && window.start <= start && end <= window.end;

/** Times in UTC sort as text. */
const latest = (a: string, b: string): string => (a > b ? a : b);
const earliest = (a: string, b: string): string => (a < b ? a : b);
