import {
  type Acting,
  contains,
  isActive,
  isHeld,
  isHidden,
  isTaken,
  overlaps,
  type SpotState,
} from "./spot-state.ts";

/** The code of each rule that refuses the operation. PostgreSQL may check any of them first. */
export function refusalsOf(
  state: SpotState,
  { action, person, isAdministrator }: Acting,
  owner: string,
): readonly string[] {
  const { exists, windows, claims } = state;
  const isOwner = person === owner;
  const when = (rules: Readonly<Record<string, boolean>>): readonly string[] =>
    Object.keys(rules).filter((rule) => rules[rule]);

  switch (action.kind) {
    case "delete spot":
      if (!exists) return ["not_found"];
      return when({
        spots_deleted_by_owner: !isOwner && !isAdministrator,
        spots_with_active_claims_stay: Object.values(claims).some(isActive),
      });
    case "publish window":
      if (!exists) return ["availabilities_of_a_spot"];
      return when({
        availabilities_created_by_spot_owner: !isOwner,
        availabilities_do_not_overlap: overlaps(state, action),
      });
    case "move window":
      // One of a spot that was removed is there for claims that were completed.
      if (!exists) return lateOn(state, action.window, isOwner);
      if (!windows[action.window]) return ["not_found"];
      return when({
        not_found: isHidden(state, action.window),
        availabilities_updated_by_spot_owner: !isOwner,
        availabilities_claimed_are_not_updated: isHeld(state, action.window),
        availabilities_do_not_overlap: overlaps(state, action, action.window),
      });
    case "delete window":
      if (!exists) return lateOn(state, action.window, isOwner || isAdministrator);
      if (!windows[action.window]) return ["not_found"];
      return when({
        not_found: isHidden(state, action.window) && !isAdministrator,
        availabilities_deleted_by_spot_owner: !isOwner && !isAdministrator,
        availabilities_claimed_are_not_deleted: isHeld(state, action.window),
      });
    case "claim": {
      if (!exists) {
        return [
          "claims_of_an_availability",
          "claims_of_an_approved_owner",
          "claims_not_in_kept_time",
          "claims_one_per_availability",
        ];
      }
      const window = windows[action.window];
      if (!window) return ["claims_of_an_availability"];
      const isWithin = contains(window, action);
      return when({
        claims_of_an_availability: isHidden(state, action.window),
        claims_of_an_approved_owner: !state.isOwnerApproved,
        claims_not_by_owner: isOwner,
        claims_one_per_availability:
          isTaken(state, action.window, action) || (!isWithin && isHeld(state, action.window)),
        claims_within_availability: !isWithin,
      });
    }
    case "close claim":
      if (!claims[action.claim]) return ["not_found"];
      return when({
        claims_updated_by_claimer: person !== claims[action.claim]?.claimer && !isAdministrator,
        // The hours of a history are in the future: what is completed, was so before its end.
        claims_closed_stay_closed:
          !isActive(claims[action.claim]) &&
          !(isAdministrator && exists && claims[action.claim]?.status === "completed"),
      });
    case "move claim": {
      const claim = claims[action.claim];
      if (!claim) return ["not_found"];
      const isWithin = contains(windows[claim.window], action);
      return when({
        claims_updated_by_claimer: person !== claim.claimer,
        claims_closed_stay_closed: !isActive(claim),
        claims_of_an_approved_owner: !state.isOwnerApproved && !contains(claim, action),
        claims_one_per_availability:
          isTaken(state, claim.window, action, action.claim) ||
          (!isWithin && isHeld(state, claim.window, action.claim)),
        claims_within_availability: !isWithin,
      });
    }
    case "delete claim":
      if (!claims[action.claim]) return ["not_found"];
      return when({
        claims_deleted_by_claimer: person !== claims[action.claim]?.claimer,
        claims_completed_are_not_deleted: claims[action.claim]?.status === "completed",
      });
    default:
      return [];
  }
}

/** What refuses a change of a window of a spot that was removed. PostgreSQL may look at any first. */
const lateOn = (state: SpotState, window: string, mayChange: boolean): readonly string[] => [
  "not_found",
  ...(isHeld(state, window)
    ? ["availabilities_claimed_are_not_updated", "availabilities_claimed_are_not_deleted"]
    : []),
  ...(mayChange
    ? []
    : ["availabilities_updated_by_spot_owner", "availabilities_deleted_by_spot_owner"]),
];
