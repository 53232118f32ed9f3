import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { keepRest } from "../../rules/rest.ts";
import { type Claim, type Spot, spotOf, useBuilding, type Window } from "../../support/building.ts";
import { expectOrder } from "../../support/exceptions.ts";
import {
  cancel,
  end,
  freeTime,
  keep,
  shownOf,
  take,
  timesOn,
  windowOn,
} from "../../support/free-time.ts";
import type { Person } from "../../support/person.ts";

const building = useBuilding();
let owner: Person;
let neighbour: Person;
let stranger: Person;
let spot: Spot;
let window: Window;
beforeEach(async () => {
  await keepRest(building);
  owner = await building.resident();
  [neighbour, stranger] = [await building.resident(), await building.resident()];
  spot = await spotOf(owner);
  window = await windowOn(owner, spot, timesOn(3, "08:00", "18:00"));
});
afterEach(() => expectOrder(building));

const free = () => freeTime(stranger, spot);
const slot = (from: string, to: string) => timesOn(3, from, to);
/** Two claims of the window, one after the other. */
const twoClaims = async (): Promise<readonly [Claim | undefined, Claim | undefined]> => [
  await take(neighbour, spot, slot("10:00", "12:00")),
  await take(stranger, spot, slot("12:00", "13:00")),
];

describe("the rest of a claimed window", () => {
  it("is free around the claims, and what one of them gives back", async () => {
    const [first] = await twoClaims();
    expect(await free()).toBe("3 08:00-10:00, 3 13:00-18:00");
    await cancel(neighbour, first);
    expect(await free()).toBe("3 08:00-12:00, 3 13:00-18:00");
    expect(await take(neighbour, spot, slot("09:00", "12:00"))).toBeDefined();
  });

  it("is of one window, with one id", async () => {
    const [first, second] = await twoClaims();
    for (const claim of [first, second]) expect(claim?.availability_id).toBe(window.id);
    await cancel(neighbour, first);
    const { id, start_time, end_time } = window;
    expect(await shownOf(stranger, spot)).toMatchObject([
      {
        ...{ id, start_time, end_time },
        is_claimed: false,
        free: [slot("08:00", "12:00"), slot("13:00", "18:00")],
      },
    ]);
    for (const [from, to] of [
      ["08:00", "12:00"],
      ["13:00", "18:00"],
    ] as const) {
      await neighbour.post("/claims", { availability_id: id, ...slot(from, to) }, 201);
    }
    const whole = await shownOf(stranger, spot);
    expect(whole).toMatchObject([{ id, start_time, end_time, is_claimed: true }]);
    expect(whole[0]).not.toHaveProperty("free");
  });

  it("is less by what a claim is longer", async () => {
    const [first, second] = await twoClaims();
    await cancel(neighbour, first);
    await stranger.put(`/claims/${second?.id}`, { end_time: slot("12:00", "14:00").end_time }, 200);
    expect(await free()).toBe("3 08:00-12:00, 3 14:00-18:00");
  });

  it("is taken by one alone", async () => {
    await twoClaims();
    const body = { availability_id: window.id, ...slot("11:00", "14:00") };
    expect((await neighbour.post("/claims", body)).status).toBe(400);
    expect(await free()).toBe("3 08:00-10:00, 3 13:00-18:00");
  });

  it("is not changed by its owner, who may keep it", async () => {
    const [first, second] = await twoClaims();
    const claimed = { error: "Cannot update a claimed availability" };
    for (const times of [{ end_time: slot("12:00", "17:00").end_time }]) {
      const answer = await owner.put(`/availabilities/${window.id}`, times);
      expect({ status: answer.status, body: answer.body }).toEqual({ status: 400, body: claimed });
    }
    expect((await owner.delete(`/availabilities/${window.id}`)).status).toBe(400);

    const kept = await keep(owner, spot, slot("09:00", "15:00"));
    expect(kept.claims.map(({ id }) => id)).toEqual([first?.id, second?.id]);
    expect(await free()).toBe("3 08:00-09:00, 3 15:00-18:00");
    await cancel(stranger, second);
    expect(await free()).toBe("3 08:00-09:00, 3 15:00-18:00");
    await end(owner, kept);
    expect(await free()).toBe("3 08:00-10:00, 3 12:00-18:00");
  });

  it("is free again in one, when all is given back in any order", async () => {
    const [first, second] = await twoClaims();
    await neighbour.delete(`/claims/${first?.id}`, 200);
    await cancel(stranger, second);
    expect(await free()).toBe("3 08:00-18:00");
    const whole = await take(neighbour, spot, window);
    expect(whole).toBeDefined();
    expect(await free()).toBe("");
  });
});

describe("a claim of a part of a window, where the rest does not stay on offer", () => {
  beforeEach(() => keepRest(building, false));

  it("takes all of the window", async () => {
    const claim = await take(neighbour, spot, slot("10:00", "12:00"));
    expect(await free()).toBe("");
    expect(await shownOf(stranger, spot)).toMatchObject([{ id: window.id, is_claimed: true }]);
    const body = { availability_id: window.id, ...slot("13:00", "14:00") };
    expect(await stranger.post("/claims", body)).toMatchObject({
      status: 400,
      body: { error: "This availability has already been claimed" },
    });
    await cancel(neighbour, claim);
    expect(await free()).toBe("3 08:00-18:00");
  });
});
