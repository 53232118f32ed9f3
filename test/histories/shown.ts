import { isDeepStrictEqual } from "node:util";
import type { Claim, Window } from "../support/building.ts";
import type { Timed } from "./linearize.ts";
import type { Body, Span } from "./recorded.ts";
import { type Acting, type ClaimState, isClaimed, isHidden, type SpotState } from "./spot-state.ts";

interface ShownWindow extends Span {
  readonly isClaimed: boolean;
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
export const isAsAtTheEnd = (state: SpotState, { rows }: Ending): boolean =>
  isDeepStrictEqual(rows, {
    exists: state.exists,
    windows: windowsOf(state),
    claims: state.claims,
  });

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
        byId(body.availabilities?.filter(isOffered), windowOf),
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

/** The windows that this is true of, and whether they are claimed. */
const windowsOf = (
  state: SpotState,
  isMeant: (id: string) => boolean = () => true,
): Readonly<Record<string, ShownWindow>> =>
  Object.fromEntries(
    Object.entries(state.windows)
      .filter(([id]) => isMeant(id))
      .map(([id, { start, end }]) => [id, { start, end, isClaimed: isClaimed(state, id) }]),
  );

export const byId = <Row extends { readonly id: string }, Shown>(
  rows: readonly (Row | undefined)[] = [],
  shown: (row: Row) => Shown,
): Readonly<Record<string, Shown>> =>
  Object.fromEntries(rows.flatMap((row) => (row ? [[row.id, shown(row)]] : [])));

/** Not one that is there for cancelled claims, as short as can be. */
const isOffered = ({ start_time, end_time }: Window): boolean =>
  Date.parse(end_time) - Date.parse(start_time) > 1;

export const windowOf = ({ start_time, end_time, is_claimed }: Window): ShownWindow => ({
  start: start_time,
  end: end_time,
  isClaimed: is_claimed,
});

export const claimOf = (claim: Claim): ClaimState => ({
  start: claim.start_time,
  end: claim.end_time,
  window: claim.availability_id,
  claimer: claim.claimer_id,
  status: claim.status,
});
