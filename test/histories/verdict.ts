import type { Arena } from "../support/arena.ts";
import { approvalModel } from "./approval-model.ts";
import { describeImpossible } from "./counter-example.ts";
import type { History } from "./history.ts";
import { invariants } from "./invariants.ts";
import { linearize } from "./linearize.ts";
import { logSince } from "./log.ts";
import { approvalParts, spotParts } from "./partitions.ts";
import { readRows } from "./rows.ts";
import { spotModel } from "./spot-model.ts";

export interface Verdict {
  /** How many spots and approvals had a history of their own. */
  readonly parts: number;
  /** What cannot be, in words. */
  readonly problems: readonly string[];
}

/** Decides whether a history could be, given what the database has at its end. */
export async function verdictOn(arena: Arena, history: History): Promise<Verdict> {
  const log = await logSince(arena, history.since);
  const rows = await readRows(arena);
  const spots = spotParts(history, log, rows.ofSpot);
  const approvals = approvalParts(history, log, rows.approved);

  const ofSpots = spots.flatMap(({ spot, owner, log: events, operations }) => {
    const impossible = linearize(spotModel(owner, events, history.keepsRest), operations);
    return impossible ? [describeImpossible(`spot ${spot}`, operations, impossible, history)] : [];
  });
  const ofApprovals = approvals.flatMap(({ resident, log: events, operations }) => {
    const impossible = linearize(approvalModel(events), operations);
    const title = `the approval of ${resident}`;
    return impossible ? [describeImpossible(title, operations, impossible, history)] : [];
  });
  const unexplained = log.filter((event) => {
    const parts = event.spot === null ? approvals : spots.filter(({ spot }) => spot === event.spot);
    return !parts.some((part) => part.log.includes(event));
  });
  const unregistered = [...rows.spots].filter((id) => !spots.some(({ spot }) => spot === id));
  const failed = history.operations.filter(
    ({ outcome }) => outcome.result === "unknown" && outcome.why === "internal_error",
  );
  return {
    parts: spots.length + approvals.length,
    problems: [
      ...ofSpots,
      ...ofApprovals,
      ...unexplained.map((event) => `no operation explains the event ${JSON.stringify(event)}`),
      ...unregistered.map((id) => `nobody registered the spot ${id}`),
      ...failed.map(({ action }) => `500 for ${JSON.stringify(action)}`),
      ...(await brokenInvariants(arena, history)),
    ],
  };
}

async function brokenInvariants(
  { superuser }: Arena,
  { since }: History,
): Promise<readonly string[]> {
  const broken = [];
  for (const { sql, isSince } of invariants) {
    const { rows } = await superuser.query(sql, isSince ? [since] : []);
    broken.push(...rows.map((row) => JSON.stringify(row)));
  }
  return broken;
}
