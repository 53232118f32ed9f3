import { describe, expect, it } from "@jest/globals";
import { type ApprovalOperation, approvalModel, NOT_APPROVED } from "./approval-model.ts";
import { linearize } from "./linearize.ts";
import type { Logged } from "./log.ts";
import type { Outcome } from "./recorded.ts";

const unknown: Outcome = { result: "unknown", why: "no answer" };
const refused: Outcome = { result: "refused", code: NOT_APPROVED };
const served: Outcome = { result: "happened", body: {} };

const suspend = (sent: number, answered: number | null): ApprovalOperation => ({
  number: 0,
  person: "administrator",
  isAdministrator: true,
  sent,
  answered,
  action: { kind: "approve", resident: "ann", isApproved: false },
  outcome:
    answered === null ? unknown : { result: "happened", body: { profile: { is_approved: false } } },
});
const read = (outcome: Outcome, sent: number, answered: number): ApprovalOperation => ({
  number: 0,
  person: "ann",
  isAdministrator: false,
  sent,
  answered,
  action: { kind: "read windows", spot: "spot" },
  outcome,
});
const atEnd = (isApprovedAtEnd: boolean): ApprovalOperation => ({
  sent: 98,
  answered: 99,
  isApprovedAtEnd,
});
const suspension: Logged = {
  type: "profile.updated",
  subject: "ann",
  actor: "administrator",
  start: null,
  end: null,
  spot: null,
  spotNumber: null,
};

const search = (log: readonly Logged[], operations: readonly ApprovalOperation[]) =>
  linearize(approvalModel(log), operations);

describe("the check of an approval", () => {
  it.each([
    [
      "answers before, during and after a suspension",
      [suspension],
      [read(served, 1, 2), suspend(3, 8), read(served, 4, 5), read(refused, 6, 7), atEnd(false)],
    ],
    [
      "a suspension of unknown outcome that happened",
      [suspension],
      [suspend(1, null), read(served, 2, 3), read(refused, 4, 5), atEnd(false)],
    ],
    [
      "a suspension of unknown outcome that did not",
      [],
      [suspend(1, null), read(served, 2, 3), atEnd(true)],
    ],
  ])("accepts %s", (_name, log, operations) => {
    expect(search(log, operations)).toBeUndefined();
  });

  it.each([
    ["an answer to somebody who was suspended", [suspension], [suspend(1, 2), read(served, 3, 4)]],
    ["a refusal before the suspension", [suspension], [read(refused, 1, 2), suspend(3, 4)]],
    [
      "a refusal, and an answer afterwards",
      [suspension],
      [suspend(1, null), read(refused, 2, 3), read(served, 4, 5)],
    ],
    ["a suspension that is not there at the end", [suspension], [suspend(1, 2), atEnd(true)]],
    ["a suspension without an event", [], [suspend(1, 2), atEnd(false)]],
    ["an event without a suspension", [suspension], [atEnd(true)]],
  ])("refuses %s", (_name, log, operations) => {
    expect(search(log, operations)).toBeDefined();
  });
});
