import { afterEach, describe, expect, it } from "@jest/globals";
import { useArena } from "../support/arena.ts";
import { claimOf, offer, spotOf, type Window, windowOf } from "../support/building.ts";
import { type Series, series } from "../support/claim-series.ts";
import { dayAfter, patternOf, setPatternDays, threeDays } from "../support/patterns.ts";
import type { Person } from "../support/person.ts";
import { withTransactionOf } from "../support/sql.ts";
import { untilWaiting } from "../support/waiting.ts";
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

it("two who need the same two spots in opposite orders do not wait in a circle", async () => {
  await building.rows("update parking.building set rest_stays_on_offer = true");
  const section = { building_section: "Circle" };
  const neighbour = await building.resident();
  const at = (days: number, time: string) => `${dayAfter(days)}T${time}:00Z`;
  const publish = async (first: string, last: string) => {
    const owner = await building.resident();
    const { id } = await spotOf(owner, section.building_section);
    const body = { spot_id: id, start_time: first, end_time: last };
    const { availability } = (
      await owner.post<{ availability: Window }>("/availabilities", body, 201)
    ).body;
    return availability;
  };
  const take = async ({ id }: Window, day: number, from: string, until: string) => {
    const times = { start_time: at(day, from), end_time: at(day, until) };
    await neighbour.post("/claims", { availability_id: id, ...times }, 201);
  };
  const [one, two] = [
    await publish(at(3, "00:00"), at(6, "00:00")),
    await publish(at(3, "00:00"), at(6, "00:00")),
  ];
  const between = await publish(at(4, "08:00"), at(4, "18:00"));
  // The first finds the spots one, between, two on its days, the second two, between, one.
  for (const day of [4, 5]) await take(one, day, "09:00", "10:00");
  for (const day of [3, 4]) await take(two, day, "09:00", "10:00");
  for (const day of [3, 4]) await take(one, day, "11:00", "12:00");
  for (const day of [4, 5]) await take(two, day, "11:00", "12:00");
  const body = { ...series(), ...section };
  const [first, second] = [await building.resident(), await building.resident()];
  const outcomes = await withTransactionOf(building.superuser, async (gate) => {
    await gate.query("select from parking.availabilities where id = $1 for update", [between.id]);
    const asked = [
      first.post<Series>("/claims/series", { ...body, starts_at: "09:00", ends_at: "10:00" }, 201),
      second.post<Series>("/claims/series", { ...body, starts_at: "11:00", ends_at: "12:00" }, 201),
    ];
    await untilWaiting(building, 2);
    await gate.query("commit");
    return Promise.all(asked);
  });
  const windows = [one.id, between.id, two.id];
  expect(outcomes.map((it) => it.body.days.map((day) => day.availability_id))).toEqual([
    windows,
    windows.toReversed(),
  ]);
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
