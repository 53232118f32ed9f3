import { type ApprovalOperation, NOT_APPROVED } from "./approval-model.ts";
import type { History } from "./history.ts";
import type { Logged } from "./log.ts";
import type { Outcome, Recorded } from "./recorded.ts";
import type { Ending } from "./shown.ts";
import type { SpotOperation } from "./spot-model.ts";

/** Comes after every answer. */
const END = { sent: Number.MAX_SAFE_INTEGER - 1, answered: Number.MAX_SAFE_INTEGER };

/** Everything about one spot, which no other spot has to do with. */
export interface SpotPart {
  readonly spot: string;
  readonly owner: string;
  readonly log: readonly Logged[];
  readonly operations: readonly SpotOperation[];
}

/** The parts of a history, a spot each, with the rows that were there at the end. */
export function spotParts(
  { operations }: History,
  log: readonly Logged[],
  rowsOf: (spot: string) => Ending["rows"],
): readonly SpotPart[] {
  const relevant = operations.filter((it) => isApproved(it) && !isBlinded(it, operations));
  const made = relevant.flatMap((operation) => {
    const id = madeBy(operation, log);
    return id === undefined ? [] : [{ ...operation, made: id }];
  });
  return made
    .filter(({ action }) => action.kind === "register spot")
    .map(({ made: spot, person: owner }) => {
      const isOfOwner = ({ type, subject }: Logged) =>
        type.startsWith("profile.") && subject === owner;
      const concerns = ({ action, made: id }: (typeof made)[number]) => {
        if (action.kind === "approve") return action.resident === owner;
        return action.kind === "register spot" ? id === spot : action.spot === spot;
      };
      return {
        spot,
        owner,
        log: log.filter((event) => event.spot === spot || isOfOwner(event)),
        operations: [...made.filter(concerns), { ...END, rows: rowsOf(spot) }],
      };
    });
}

/** The history of a spot says nothing of callers who may not ask. */
const isApproved = ({ outcome }: Recorded): boolean =>
  outcome.result !== "refused" || outcome.code !== NOT_APPROVED;

/** The refusals that say that the row is not there, or is another's (private.refuse_unchanged). */
const WITHOUT_ROW = new Set([
  "not_found",
  "claims_of_an_availability",
  "availabilities_of_a_spot",
  "claims_updated_by_claimer",
  "claims_deleted_by_claimer",
  "availabilities_updated_by_spot_owner",
  "availabilities_deleted_by_spot_owner",
  "spots_deleted_by_owner",
]);

/**
 * One statement looks whether the caller is approved, and another reads or writes the rows. Where the
 * approval changes between them, the answer is an empty list, or that the row is not there or is
 * another's. The rule says that the account is not approved.
 */
const isBlinded = (
  { outcome, person, sent, answered }: Recorded,
  operations: readonly Recorded[],
): boolean =>
  showsNothing(outcome) &&
  operations.some(
    ({ action, ...other }) =>
      action.kind === "approve" &&
      action.resident === person &&
      other.sent < (answered ?? Number.POSITIVE_INFINITY) &&
      sent < (other.answered ?? Number.POSITIVE_INFINITY),
  );

const showsNothing = (outcome: Outcome): boolean =>
  outcome.result === "refused"
    ? WITHOUT_ROW.has(outcome.code)
    : outcome.result === "happened" &&
      (outcome.body.availabilities ?? outcome.body.claims)?.length === 0;

/** What the operations that make a row write into the log. */
const creations: Readonly<Record<string, string>> = {
  "register spot": "spot.registered",
  "publish window": "availability.created",
  claim: "claim.submitted",
};

/**
 * The id of the row that an operation made; "" where it makes none. Without an answer only the log
 * knows it. Undefined where the log does not know it either: then it did not happen, for a row that
 * nevertheless is there is one that no operation made.
 */
function madeBy({ action, outcome }: Recorded, log: readonly Logged[]): string | undefined {
  const type = creations[action.kind];
  if (type === undefined || outcome.result === "refused") return "";
  if (outcome.result === "happened") {
    const { spot, availability, claim } = outcome.body;
    return (spot ?? availability ?? claim)?.id;
  }
  return log.find(
    (event) =>
      event.type === type &&
      (("start" in action && event.start === action.start) ||
        ("spotNumber" in action && event.spotNumber === action.spotNumber)),
  )?.subject;
}

/** Everything about the approval of one resident: administrators change it, all answers show it. */
export interface ApprovalPart {
  readonly resident: string;
  readonly log: readonly Logged[];
  readonly operations: readonly ApprovalOperation[];
}

export const approvalParts = (
  { operations, cast }: History,
  log: readonly Logged[],
  approved: ReadonlySet<string>,
): readonly ApprovalPart[] =>
  cast.suspects.map((resident) => ({
    resident,
    log: log.filter(({ type, subject }) => type.startsWith("profile.") && subject === resident),
    operations: [
      ...operations.filter(({ action, person }) =>
        action.kind === "approve" ? action.resident === resident : person === resident,
      ),
      { ...END, isApprovedAtEnd: approved.has(resident) },
    ],
  }));
