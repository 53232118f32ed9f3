import { cut, joined, pieceFor } from "./pieces.ts";
import type { Span } from "./recorded.ts";
import { type Acting, type ClaimState, isClaimed, type SpotState } from "./spot-state.ts";

/** What the log has of an effect. */
export interface Happening {
  readonly type: string;
  readonly subject: string;
  readonly start?: string;
}
export interface Effect {
  readonly state: SpotState;
  readonly happenings: readonly Happening[];
}

/**
 * What an operation does that no rule refuses.
 *
 * @param idOfRest the ids of windows that claims leave, where the rest of a window stays on offer
 */
export function effectOf(
  state: SpotState,
  { action, person, made }: Acting,
  idOfRest?: (rest: Span) => string,
): Effect {
  const { windows, claims } = state;
  switch (action.kind) {
    case "register spot":
      return {
        state: { ...state, exists: true },
        happenings: [{ type: "spot.registered", subject: made }],
      };
    case "delete spot": {
      // What was ever claimed stays; a window of which all claims were cancelled is put away for these.
      const kept = Object.values(claims).map(({ window }) => window);
      const gone = Object.keys(windows).filter((id) => !isClaimed(state, id));
      return {
        state: { ...state, exists: false, windows: without(windows, gone), joined: {} },
        happenings: [
          ...gone.map((subject) => ({
            type: kept.includes(subject) ? "availability.updated" : "availability.deleted",
            subject,
          })),
          { type: "spot.deleted", subject: action.spot },
        ],
      };
    }
    case "publish window":
      return {
        state: { ...state, windows: { ...windows, [made]: spanOf(action) } },
        happenings: [{ type: "availability.created", subject: made, start: action.start }],
      };
    case "move window":
      return {
        state: { ...state, windows: { ...windows, [action.window]: spanOf(action) } },
        happenings: [{ type: "availability.updated", subject: action.window, start: action.start }],
      };
    case "delete window": {
      // Cancelled claims go with their window.
      const gone = Object.keys(claims).filter((id) => claims[id]?.window === action.window);
      return {
        state: {
          ...state,
          windows: without(windows, [action.window]),
          claims: without(claims, gone),
        },
        happenings: [
          ...gone.map((subject) => ({ type: "claim.deleted", subject })),
          { type: "availability.deleted", subject: action.window },
        ],
      };
    }
    case "claim": {
      const window = idOfRest ? pieceFor(state, action.window, action) : action.window;
      const claim = { ...spanOf(action), window, claimer: person, status: "active" };
      const submitted = {
        state: { ...state, claims: { ...claims, [made]: claim } },
        happenings: [{ type: "claim.submitted", subject: made, start: action.start }],
      };
      return idOfRest ? and(submitted, cut(submitted.state, window, action, idOfRest)) : submitted;
    }
    case "close claim": {
      const closed = {
        state: withClaim(state, action.claim, { status: action.status }),
        happenings: [{ type: `claim.${action.status}`, subject: action.claim }],
      };
      return action.status === "cancelled" ? freed(closed, claims[action.claim]) : closed;
    }
    case "move claim": {
      const moved = (before: SpotState) => ({
        state: withClaim(before, action.claim, spanOf(action)),
        happenings: [{ type: "claim.updated", subject: action.claim, start: action.start }],
      });
      const claim = claims[action.claim];
      if (!(idOfRest && claim)) return moved(state);
      // Its old and its new time, for it is held to its window before and after.
      const room = joined(state, claim.window, {
        start: claim.start < action.start ? claim.start : action.start,
        end: claim.end > action.end ? claim.end : action.end,
      });
      const there = and(room, moved(room.state));
      return and(there, cut(there.state, claim.window, action, idOfRest));
    }
    case "delete claim": {
      const deleted = {
        state: { ...state, claims: without(claims, [action.claim]) },
        happenings: [{ type: "claim.deleted", subject: action.claim }],
      };
      return freed(deleted, claims[action.claim]);
    }
    case "approve": {
      if (state.isOwnerApproved === action.isApproved) return { state, happenings: [] };
      const type = action.isApproved ? "profile.approved" : "profile.updated";
      return {
        state: { ...state, isOwnerApproved: action.isApproved },
        happenings: [{ type, subject: action.resident }],
      };
    }
    default:
      return { state, happenings: [] };
  }
}

const and = (first: Effect, { state, happenings }: Effect): Effect => ({
  state,
  happenings: [...first.happenings, ...happenings],
});
/** What the claim held is one with what is free beside it. */
const freed = (effect: Effect, claim?: ClaimState): Effect =>
  claim && claim.status !== "cancelled" ? and(effect, joined(effect.state, claim.window)) : effect;
const spanOf = ({ start, end }: Span): Span => ({ start, end });
const without = <Row>(rows: Readonly<Record<string, Row>>, ids: readonly string[]) =>
  Object.fromEntries(Object.entries(rows).filter(([id]) => !ids.includes(id)));
function withClaim(state: SpotState, id: string, change: Partial<ClaimState>): SpotState {
  const claim = state.claims[id];
  if (claim === undefined) throw new Error(`there is no claim ${id}`);
  return { ...state, claims: { ...state.claims, [id]: { ...claim, ...change } } };
}
