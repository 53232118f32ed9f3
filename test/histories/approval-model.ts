import type { Model, Timed } from "./linearize.ts";
import type { Logged } from "./log.ts";
import type { Recorded } from "./recorded.ts";

interface ApprovalState {
  readonly isApproved: boolean;
  /** How many events are in the log. */
  readonly logged: number;
}

/** An operation that has to do with the approval, or the look at the profile at the end. */
export type ApprovalOperation = Recorded | (Timed & { readonly isApprovedAtEnd: boolean });

export const NOT_APPROVED = "approved_account_required";

/**
 * The approval of one resident: administrators write it, and each answer to the resident shows it.
 *
 * @param log the events about the resident's profile
 */
export const approvalModel = (log: readonly Logged[]): Model<ApprovalState, ApprovalOperation> => ({
  start: { isApproved: true, logged: 0 },
  isReading: (operation) => "isApprovedAtEnd" in operation || operation.action.kind !== "approve",
  after: (state, operation) => {
    if ("isApprovedAtEnd" in operation) {
      const isSame = operation.isApprovedAtEnd === state.isApproved;
      return isSame && state.logged === log.length ? state : undefined;
    }
    const { action, outcome, person } = operation;
    if (action.kind !== "approve") {
      if (outcome.result === "unknown") return undefined;
      const isRefused = outcome.result === "refused" && outcome.code === NOT_APPROVED;
      return state.isApproved === isRefused ? undefined : state;
    }

    const { isApproved } = action;
    if (outcome.result === "happened" && outcome.body.profile?.is_approved !== isApproved) {
      return undefined;
    }
    if (isApproved === state.isApproved) {
      // It does not matter when nothing happened.
      return outcome.result === "happened" ? state : undefined;
    }
    const event = log[state.logged];
    const type = isApproved ? "profile.approved" : "profile.updated";
    if (event?.type !== type || event.actor !== person) return undefined;
    return { isApproved, logged: state.logged + 1 };
  },
});
