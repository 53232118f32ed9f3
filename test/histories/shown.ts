import { isDeepStrictEqual } from "node:util";
import type { Claim } from "../support/building.ts";
import type { Shown } from "../support/free-time.ts";
import type { Timed } from "./linearize.ts";
import type { Body, Span } from "./recorded.ts";
import {
  type Acting,
  type ClaimState,
  freeOf,
  isClaimed,
  isHidden,
  type SpotState,
} from "./spot-state.ts";

export interface ShownWindow extends Span {
  readonly isClaimed: boolean;
  /** Where a part of the window is free and a part is not. */
  readonly free?: readonly Span[];
}
interface Rows {
  readonly exists: boolean;
  readonly windows: Readonly<Record<string, ShownWindow>>;
  readonly claims: Readonly<Record<string, ClaimState>>;
}

/** The rows of a spot when all was over. */
export interface Ending extends Timed {
  readonly rows: Rows;
}

/** Whether these are the rows at the end. */
export const isAsAtTheEnd = (state: SpotState, { rows }: Ending): boolean => {
  const { exists, claims } = state;
  return isDeepStrictEqual(rows, { exists, windows: windowsOf(state), claims });
};

/** Whether an answer shows what is there after the operation. */
export function isShown(
  { action, person, isAdministrator, made }: Acting,
  body: Body,
  state: SpotState,
  owner: string,
): boolean {
  const { claims } = state;
  switch (action.kind) {
    case "publish window":
    case "move window": {
      const id = action.kind === "move window" ? action.window : made;
      return isDeepStrictEqual(byId([body.availability], windowOf), {
        [id]: windowsOf(state)[id],
      });
    }
    case "claim":
    case "move claim":
    case "close claim": {
      const id = action.kind === "claim" ? made : action.claim;
      return isDeepStrictEqual(byId([body.claim], claimOf), { [id]: claims[id] });
    }
    case "read windows":
      return isDeepStrictEqual(
        byId(body.availabilities, windowOf),
        windowsOf(state, (id) => isAdministrator || !isHidden(state, id)),
      );
    case "read claims": {
      const isParty = ([, { claimer }]: readonly [string, ClaimState]) =>
        isAdministrator || person === owner || person === claimer;
      return isDeepStrictEqual(
        byId(body.claims, claimOf),
        Object.fromEntries(Object.entries(claims).filter(isParty)),
      );
    }
    case "approve":
      return body.profile?.is_approved === action.isApproved;
    default:
      return true;
  }
}

/** The windows that this is true of, as they are shown. */
const windowsOf = (
  state: SpotState,
  isMeant: (id: string) => boolean = () => true,
): Readonly<Record<string, ShownWindow>> =>
  Object.fromEntries(
    Object.entries(state.windows)
      .filter(([id]) => isMeant(id))
      .map(([id, span]) => [id, shownOf(state, id, span)]),
  );

function shownOf(state: SpotState, id: string, { start, end }: Span): ShownWindow {
  const free = freeOf(state, id);
  const isPart = free.length > 0 && !isDeepStrictEqual(free, [{ start, end }]);
  return { start, end, isClaimed: isClaimed(state, id), ...(isPart && { free }) };
}

export const byId = <Row extends { readonly id: string }, Shown>(
  rows: readonly (Row | undefined)[] = [],
  shown: (row: Row) => Shown,
): Readonly<Record<string, Shown>> =>
  Object.fromEntries(rows.flatMap((row) => (row ? [[row.id, shown(row)]] : [])));

export const windowOf = ({ start_time, end_time, is_claimed, free }: Shown): ShownWindow => ({
  start: start_time,
  end: end_time,
  isClaimed: is_claimed,
  ...(free && { free: free.map((it) => ({ start: it.start_time, end: it.end_time })) }),
});

export const claimOf = (claim: Claim): ClaimState => ({
  start: claim.start_time,
  end: claim.end_time,
  window: claim.availability_id,
  claimer: claim.claimer_id,
  status: claim.status,
});
