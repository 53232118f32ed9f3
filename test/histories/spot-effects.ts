import type { Span } from "./recorded.ts";
import { type Acting, type ClaimState, isHeld, type SpotState } from "./spot-state.ts";

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

/** What an operation does that no rule refuses. */
export function effectOf(state: SpotState, { action, person, made }: Acting): Effect {
  const { windows, claims } = state;
  switch (action.kind) {
    case "register spot":
      return {
        state: { ...state, exists: true },
        happenings: [{ type: "spot.registered", subject: made }],
      };
    case "delete spot": {
      // What is claimed stays; claims that were cancelled need no window.
      const gone = Object.keys(windows).filter((id) => !isHeld(state, id));
      return {
        state: { ...state, exists: false, windows: without(windows, gone) },
        happenings: [
          ...gone.map((subject) => ({ type: "availability.deleted", subject })),
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
    case "delete window":
      return {
        state: { ...state, windows: without(windows, [action.window]) },
        happenings: [{ type: "availability.deleted", subject: action.window }],
      };
    case "claim": {
      const { window } = action;
      const claim = { ...spanOf(action), window, claimer: person, status: "active" };
      return {
        state: { ...state, claims: { ...claims, [made]: claim } },
        happenings: [{ type: "claim.submitted", subject: made, start: action.start }],
      };
    }
    case "close claim":
      return {
        state: withClaim(state, action.claim, { status: action.status }),
        happenings: [{ type: `claim.${action.status}`, subject: action.claim }],
      };
    case "move claim":
      return {
        state: withClaim(state, action.claim, spanOf(action)),
        happenings: [{ type: "claim.updated", subject: action.claim, start: action.start }],
      };
    case "delete claim":
      return {
        state: { ...state, claims: without(claims, [action.claim]) },
        happenings: [{ type: "claim.deleted", subject: action.claim }],
      };
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

const spanOf = ({ start, end }: Span): Span => ({ start, end });
const without = <Row>(rows: Readonly<Record<string, Row>>, ids: readonly string[]) =>
  Object.fromEntries(Object.entries(rows).filter(([id]) => !ids.includes(id)));
function withClaim(state: SpotState, id: string, change: Partial<ClaimState>): SpotState {
  const claim = state.claims[id];
  if (claim === undefined) throw new Error(`there is no claim ${id}`);
  return { ...state, claims: { ...state.claims, [id]: { ...claim, ...change } } };
}
