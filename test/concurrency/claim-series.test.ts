import { afterEach, describe, expect, it } from "@jest/globals";
import { useArena } from "../support/arena.ts";
import { claimOf, offer, spotOf, windowOf } from "../support/building.ts";
import { series } from "../support/claim-series.ts";
import { dayAfter, patternOf, setPatternDays, threeDays } from "../support/patterns.ts";
import type { Person } from "../support/person.ts";
import { withTransactionOf } from "../support/sql.ts";
import { expectConsistency } from "./consistency.ts";
import { atOnce, connectionsFor, outcomeOf, type Rival, several, tally } from "./rivals.ts";

const building = useArena(connectionsFor(6));
afterEach(async () => {
  await expectConsistency(building);
  expect(await building.rows("select * from private.count_drifts")).toEqual([]);
});

const lastDay = { last_day: dayAfter(9) };
const sharedSpots = (count: number) =>
  several(count, async () => {
    const owner = await building.resident();
    const spot = await spotOf(owner, "Rivals");
    await patternOf(owner, { ...threeDays(spot), ...lastDay });
    return { owner, spot };
  });
const body = { ...series(lastDay), building_section: "Rivals" };
const asks =
  (person: Person, path = "/claims/series"): Rival =>
  () =>
    outcomeOf(person.post(path, body));

describe("people who claim the same days at once", () => {
  it("never claim one day of a spot twice, and do not wait in a circle", async () => {
    await setPatternDays(building, 28);
    await sharedSpots(3);
    const people = await several(4, () => building.resident());
    expect(
      tally(
        await atOnce(
          building,
          people.map((it) => asks(it)),
        ),
      ),
    ).toEqual({
      "201": 3,
      "409 None of these days can be claimed": 1,
    });
  });

  it("do not wait in a circle with owners who change their plans, and with claims that end", async () => {
    const shared = await sharedSpots(2);
    const [one, two, neighbour] = await several(3, () => building.resident());
    if (!one || !two || !neighbour) throw new Error("nobody");
    const { window } = await offer(building);
    const claim = await claimOf(neighbour, window);
    const plans = shared.map(
      ({ owner, spot }): Rival =>
        () =>
          outcomeOf(
            owner.post("/exceptions", {
              ...{ kind: "keep", spot_id: spot.id },
              ...{ start_time: `${dayAfter(4)}T00:00:00Z`, end_time: `${dayAfter(6)}T00:00:00Z` },
            }),
          ),
    );
    const ends = () => outcomeOf(neighbour.put(`/claims/${claim.id}`, { status: "cancelled" }));
    const outcomes = await atOnce(building, [...plans, asks(one), ends, asks(two)]);
    expect(outcomes.toSorted()).toEqual(["200", "201", "201", "201", "201"]);
  });
});

it("a preview gives up soon where somebody else changes the spot", async () => {
  const owner = await building.resident();
  const spot = await spotOf(owner, "Busy");
  await windowOf(owner, spot, 1, 5);
  await patternOf(owner, threeDays(spot));
  const person = await building.resident();
  await withTransactionOf(building.superuser, async (gate) => {
    await gate.query("select from parking.spots where id = $1 for update", [spot.id]);
    const answer = await person.post("/claims/series/preview", series({ spot_id: spot.id }));
    expect(answer.status).toBe(503);
    await gate.query("rollback");
  });
});
