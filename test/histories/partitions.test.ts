import { describe, expect, it } from "@jest/globals";
import type { History } from "./history.ts";
import { spotParts } from "./partitions.ts";
import type { Action, Outcome, Recorded } from "./recorded.ts";

const spot = "spot";
const made: Outcome = { result: "happened", body: { spot: { id: spot } as never } };
const refused = (code: string): Outcome => ({ result: "refused", code });
const hours = { start: "2030-01-01T10:00:00.000Z", end: "2030-01-01T11:00:00.000Z" };

const by = (
  person: string,
  action: Action,
  outcome: Outcome,
  [sent, answered]: readonly [number, number],
): Recorded => ({ number: sent, person, isAdministrator: false, action, outcome, sent, answered });

const registration = by("bob", { kind: "register spot", spotNumber: "H-1" }, made, [1, 2]);
const refusals = [
  by(
    "ann",
    { kind: "claim", spot, window: "window", ...hours },
    refused("claims_of_an_availability"),
    [10, 20],
  ),
  by(
    "ann",
    { kind: "close claim", spot, claim: "claim", status: "cancelled" },
    refused("claims_updated_by_claimer"),
    [10, 20],
  ),
  by(
    "ann",
    { kind: "delete claim", spot, claim: "claim" },
    refused("claims_completed_are_not_deleted"),
    [10, 20],
  ),
];
const approval = (resident: string, when: readonly [number, number]) =>
  by(
    "administrator",
    { kind: "approve", resident, isApproved: true },
    { result: "happened", body: {} },
    when,
  );

const kindsWith = (operation: Recorded): readonly string[] => {
  const history = { operations: [registration, ...refusals, operation] } as unknown as History;
  const [part] = spotParts(history, [], () => ({}) as never);
  return (part?.operations ?? []).flatMap((it) => ("action" in it ? [it.action.kind] : []));
};

describe("the history of a spot", () => {
  it("has what was refused because the row is not there, or is another's", () => {
    for (const other of [approval("ann", [3, 4]), approval("carl", [12, 14])])
      expect(kindsWith(other)).toEqual(expect.arrayContaining(["claim", "close claim"]));
  });

  it("leaves it out where the caller's approval changed meanwhile: they had no row for a moment", () => {
    const kinds = kindsWith(approval("ann", [12, 14]));
    expect(kinds).not.toContain("claim");
    expect(kinds).not.toContain("close claim");
    expect(kinds).toContain("delete claim"); // refused for what the row is
  });
});
