import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { useArena } from "../support/arena.ts";
import { claimOf, hours, type Spot, spotOf, windowOf } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { expectConsistency } from "./consistency.ts";
import { describeDuel, type Move, overRest } from "./duel.ts";
import { atOnce, connectionsFor, tally } from "./rivals.ts";

const CLOSED = "400 Cannot change status from completed/cancelled";
const KEPT = "400 Cannot delete a completed claim";
const GONE = "404 Claim not found";

const building = useArena(connectionsFor(8));
let owner: Person;
let spot: Spot;
let claimer: Person;
beforeAll(async () => {
  owner = await building.resident();
  spot = await spotOf(owner);
  claimer = await building.resident();
});
afterEach(() => expectConsistency(building));

let from = 0;
/** The id of an active claim of eight hours that begins at the hour `from`. */
const nextClaim = async (): Promise<string> => {
  from += 10;
  return (await claimOf(claimer, await windowOf(owner, spot, from, from + 8))).id;
};

const move = (operation: string, values: Readonly<Record<string, string>>): Move => ({
  person: claimer,
  operation,
  values,
});
const complete = (id: string) => move("update_claim", { id, status: "completed" });
const cancel = (id: string) => move("update_claim", { id, status: "cancelled" });
const remove = (id: string) => move("delete_claim", { id });
const shorten = (id: string) => move("update_claim", { id, end_time: hours(from + 7) });

type Ending = (id: string) => Move;
const both = (one: Ending, other: Ending) => async () => {
  const id = await nextClaim();
  return [one(id), other(id)] as const;
};

describeDuel("a claim completed and cancelled", () => building, {
  names: ["completing", "cancelling"],
  moves: both(complete, cancel),
  first: ["200", "200"],
  after: [CLOSED, CLOSED],
});

describeDuel("a claim completed and deleted", () => building, {
  names: ["completing", "deleting"],
  moves: both(complete, remove),
  first: ["200", "200"],
  after: [GONE, KEPT],
});

describeDuel("a claim cancelled and deleted", () => building, {
  names: ["cancelling", "deleting"],
  moves: both(cancel, remove),
  first: ["200", "200"],
  after: [GONE, "200"],
});

describeDuel("a claim completed twice", () => building, {
  names: ["completing", "completing again"],
  moves: both(complete, complete),
  first: ["200", "200"],
  after: [CLOSED, CLOSED],
});

describeDuel("a claim cancelled twice", () => building, {
  names: ["cancelling", "cancelling again"],
  moves: both(cancel, cancel),
  first: ["200", "200"],
  after: [CLOSED, CLOSED],
});

describeDuel("a claim deleted twice", () => building, {
  names: ["deleting", "deleting again"],
  moves: both(remove, remove),
  first: ["200", "200"],
  after: [GONE, GONE],
});

describeDuel("a claim shortened and completed", () => building, {
  names: ["shortening", "completing"],
  moves: both(shorten, complete),
  first: ["200", "200"],
  after: [CLOSED, "200"],
});

describeDuel("a claim shortened and cancelled", () => building, {
  names: ["shortening", "cancelling"],
  moves: both(shorten, cancel),
  first: ["200", "200"],
  after: [CLOSED, "200"],
});

describe("a claim completed, cancelled and deleted, twice each, at one moment", () => {
  it("ends once, with matching notifications and events", async () => {
    for (let round = 0; round < 15; round++) {
      const id = await nextClaim();
      const endings = [complete, cancel, remove, complete, cancel, remove];
      const outcomes = await atOnce(
        building,
        endings.map((ending) => () => overRest(building, ending(id))),
      );
      const { "200": well = 0, ...refused } = tally(outcomes);
      const [{ ends = "" } = {}] = await building.rows<{ ends: string }>(
        `select string_agg(type, ' ' order by id) as ends
           from private.events
          where subject_id = $1`,
        [id],
      );
      expect([
        "claim.submitted claim.completed",
        "claim.submitted claim.cancelled claim.deleted",
        "claim.submitted claim.deleted",
      ]).toContain(ends);
      expect(well).toBe(ends.split(" ").length - 1);
      for (const refusal of Object.keys(refused)) expect([CLOSED, KEPT, GONE]).toContain(refusal);
      const notified = await building.rows(
        "select kind from parking.notifications where claim_id = $1 order by id",
        [id],
      );
      expect(notified.map(({ kind }) => kind).join(" ")).toBe(ends);
    }
  });
});
