import { afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import {
  hours,
  type Spot,
  spotOf,
  useBuilding,
  type Window,
  windowOf,
} from "../support/building.ts";
import { except, offered, undo } from "../support/exceptions.ts";
import { setLimits } from "../support/limits.ts";
import { dayAfter, patternOf, setZone, threeDays } from "../support/patterns.ts";
import type { Person } from "../support/person.ts";
import { letPass, seen, toldTo, type Wish, wishOf } from "../support/wishes.ts";
import { claim } from "./claiming.ts";

const EACH = 30;
const WAIT = "409 claims_wait_for_offers";

const building = useBuilding();
let owner: Person;
/** Nobody who waits. */
let passer: Person;
let alice: Person;
let bob: Person;
let spot: Spot;
beforeAll(async () => {
  [owner, passer] = [await building.resident(), await building.resident()];
  [alice, bob] = [await building.resident(), await building.resident()];
  await building.rows("update parking.building set rest_stays_on_offer = true");
});
beforeEach(async () => {
  await setLimits(building, { offer_minutes: EACH });
  spot = await spotOf(owner);
});
afterEach(async () => {
  for (const table of ["wishes", "claims", "availabilities", "exceptions", "notifications"]) {
    await building.rows(`delete from parking.${table}`);
  }
});

const outcome = async (person: Person, window: Window, from: number, to: number) => {
  const { status, headers } = await claim(person, window, from, to);
  return status === 201 ? "claimed" : `${status} ${headers.get("X-Error-Code")}`;
};
const held = async (person: Person, window: Window, from: number, to: number) => {
  const { status, body } = await claim(person, window, from, to);
  expect(status).toBe(201);
  return body.claim;
};
const cancelled = (person: Person, { id }: { readonly id: string }) =>
  person.put(`/claims/${id}`, { status: "cancelled" }, 200);
/** A time of the fourth day, in hours from now. */
const at = (time: string) =>
  (Date.parse(`${dayAfter(4)}T${time}:00Z`) - Date.parse(hours(0))) / 3_600_000;
/** Alice's turn is over and Bob's has begun. */
const bobsTurn = async () => {
  const wishes = [await wishOf(alice, 44, 46), await wishOf(bob, 44, 46)] as const;
  const window = await windowOf(owner, spot, 38, 48);
  await letPass(building, EACH + 5);
  return { wishes, window };
};
const turns = async ([first, second]: readonly [Wish, Wish]) =>
  [await seen(alice, first), await seen(bob, second)].map((it) => [
    it.offered_from,
    it.offered_until,
  ]);
const readAll = () => building.rows("update parking.notifications set is_read = true");
const unread = async (person: Person) => (await toldTo(person)).filter((it) => !it.is_read).length;

describe("who waits for a time keeps their turn", () => {
  it("when another part of the window is claimed and given back", async () => {
    const { wishes, window } = await bobsTurn();
    const before = await turns(wishes);

    const slice = await held(passer, window, 38, 39);
    expect(await turns(wishes)).toEqual(before);
    const piece = (await offered(passer, spot)).find((it) => it.end_time === hours(48));
    expect((await seen(bob, wishes[1])).availability_id).toBe(piece?.id);
    expect((await toldTo(bob))[0]?.availability_id).toBe(piece?.id);

    await cancelled(passer, slice);
    expect(await turns(wishes)).toEqual(before);
    expect((await seen(bob, wishes[1])).availability_id).toBe(window.id);

    expect(await outcome(alice, window, 44, 46)).toBe(WAIT);
    expect(await outcome(bob, window, 44, 46)).toBe("claimed");
  });

  it("when the owner needs another part of the window, and needs it no longer", async () => {
    const { wishes, window } = await bobsTurn();
    const before = await turns(wishes);

    const kept = await except(owner, "keep", spot, 40, 41);
    expect(await turns(wishes)).toEqual(before);
    await undo(owner, kept);
    expect(await turns(wishes)).toEqual(before);

    expect(await outcome(bob, window, 44, 46)).toBe("claimed");
  });

  it("when the owner changes the pattern that publishes the window", async () => {
    const [from, to] = [at("09:00"), at("10:00")];
    const wishes = [await wishOf(alice, from, to), await wishOf(bob, from, to)] as const;
    const pattern = await patternOf(owner, threeDays(spot));
    await letPass(building, EACH + 5);
    const before = await turns(wishes);

    await owner.put(`/patterns/${pattern.id}`, { last_day: dayAfter(4) }, 200);

    expect(await turns(wishes)).toEqual(before);
    const window = (await offered(passer, spot)).find((it) => it.end_time > hours(to));
    if (!window) throw new Error("there is one");
    for (const told of [await toldTo(alice), await toldTo(bob)])
      expect(told).toMatchObject([{ availability_id: window.id }]);
    expect(await outcome(alice, window, from, to)).toBe(WAIT);
    expect(await outcome(bob, window, from, to)).toBe("claimed");
  });

  it("when the building moves to another time zone, and the job of patterns follows", async () => {
    const [from, to] = [at("09:00"), at("10:00")];
    const wishes = [await wishOf(alice, from, to), await wishOf(bob, from, to)] as const;
    const pattern = await patternOf(owner, threeDays(spot));
    await letPass(building, EACH + 5);
    const before = await turns(wishes);

    await setZone(building, "Etc/GMT-1"); // an hour before UTC
    const job = "select private.extend_pattern($1, $2)";
    await building.service.pool.query(job, [pattern.id, owner.id]);
    await setZone(building, "UTC");

    expect(await turns(wishes)).toEqual(before);
    const window = (await offered(passer, spot)).find((it) => it.start_time === hours(at("07:00")));
    expect((await seen(bob, wishes[1])).availability_id).toBe(window?.id);
  });

  it("and those of a longer window come after them", async () => {
    const wishes = [await wishOf(alice, 44, 46), await wishOf(bob, 44, 46)] as const;
    const later = await wishOf(passer, 46, 49);
    const window = await windowOf(owner, spot, 38, 48);
    const before = await turns(wishes);

    await owner.put(`/availabilities/${window.id}`, { end_time: hours(50) }, 200);

    expect(await turns(wishes)).toEqual(before);
    expect((await seen(passer, later)).offered_from).toBe(before[1]?.[1]);
  });

  it("when what was before them is given back, and keeps it from who asked later", async () => {
    const first = await wishOf(alice, 38, 40);
    const wishes = [await wishOf(bob, 38, 48), await wishOf(passer, 42, 44)] as const;
    const window = await windowOf(owner, spot, 38, 48);
    const before = [(await seen(bob, wishes[0])).offered_until, await seen(passer, wishes[1])];

    await cancelled(alice, await held(alice, window, 38, 40));
    const after = [(await seen(bob, wishes[0])).offered_until, await seen(passer, wishes[1])];
    expect(after).toMatchObject([before[0], { offered_until: (before[1] as Wish).offered_until }]);
    expect((await seen(alice, first)).claim_id).toBeDefined();

    await letPass(building, EACH);
    expect(await outcome(bob, window, 38, 48)).toBe("claimed");
  });

  it("and no other may move a claim to that time", async () => {
    await wishOf(bob, 44, 46);
    const window = await windowOf(owner, spot, 38, 48);
    const { id } = await held(passer, window, 40, 42);
    const moved = await passer.put(`/claims/${id}`, { end_time: hours(45) });
    expect(moved.headers.get("X-Error-Code")).toBe("claims_wait_for_offers");
  });
});

describe("who had no offer yet", () => {
  it("is told of the rest, where the first of two wishes is claimed by another", async () => {
    await setLimits(building, {});
    await wishOf(alice, 38, 40);
    const second = await wishOf(alice, 44, 46);
    const window = await windowOf(owner, spot, 38, 48);
    expect(await toldTo(alice)).toHaveLength(1);
    await held(passer, window, 38, 40);
    expect((await seen(alice, second)).availability_id).toBeDefined();
    expect(await toldTo(alice)).toHaveLength(2);
  });

  it("is told of the rest, where they claim the first of two wishes themselves", async () => {
    await wishOf(alice, 38, 40);
    const second = await wishOf(alice, 44, 46);
    const third = await wishOf(bob, 44, 46);
    const window = await windowOf(owner, spot, 38, 48);
    await held(alice, window, 38, 40);
    const [after, before] = [await seen(alice, second), await seen(bob, third)];
    expect(after.offered_from).toBe(before.offered_until);
  });

  it("is told of the rest, where the owner needs the time of the first of two wishes", async () => {
    await wishOf(alice, 41, 42);
    const second = await wishOf(alice, 44, 46);
    await windowOf(owner, spot, 38, 48);
    await except(owner, "keep", spot, 41, 42);
    expect((await seen(alice, second)).offered_until).toBeDefined();
  });

  it("is told of the rest, where its owner makes the window shorter", async () => {
    await wishOf(alice, 38, 40);
    const second = await wishOf(alice, 44, 46);
    const window = await windowOf(owner, spot, 38, 48);
    await owner.put(`/availabilities/${window.id}`, { start_time: hours(41) }, 200);
    expect((await seen(alice, second)).offered_until).toBeDefined();
  });
});

describe("a time that was free all along", () => {
  beforeEach(() => setLimits(building, {}));

  it("is not told again when what is beside it is claimed and given back", async () => {
    await wishOf(alice, 44, 46);
    const window = await windowOf(owner, spot, 38, 48);
    await readAll();
    const slices = [await held(passer, window, 38, 39), await held(passer, window, 40, 41)];
    expect(await unread(alice)).toBe(0);
    for (const slice of slices) await cancelled(passer, slice);
    expect(await unread(alice)).toBe(0);
  });

  it("is told when the rest of it comes back: by a claim that ends or becomes shorter", async () => {
    const window = await windowOf(owner, spot, 38, 48);
    const { id } = await held(passer, window, 40, 45);
    await wishOf(alice, 39, 41);
    await wishOf(bob, 44, 46);
    await passer.put(`/claims/${id}`, { end_time: hours(43) }, 200);
    expect([await unread(alice), await unread(bob)]).toEqual([0, 1]);
    await passer.delete(`/claims/${id}`, 200);
    expect([await unread(alice), await unread(bob)]).toEqual([1, 1]);
  });

  it("is told where it needs two claims that end at once", async () => {
    const window = await windowOf(owner, spot, 38, 48);
    await held(passer, window, 40, 42);
    await held(passer, window, 42, 44);
    await wishOf(alice, 41, 43);
    await wishOf(bob, 43, 44);
    await building.rows("delete from parking.claims");
    expect([await unread(alice), await unread(bob)]).toEqual([1, 1]);
  });

  it("is not told again when its pattern changes, unless it needs hours that are new", async () => {
    const pattern = await patternOf(owner, threeDays(spot));
    await wishOf(alice, at("09:00"), at("10:00"));
    await wishOf(bob, at("17:00"), at("19:00"));
    await owner.put(`/patterns/${pattern.id}`, { ends_at: "17:30" }, 200);
    expect([await unread(alice), await unread(bob)]).toEqual([1, 0]);
    await readAll();

    await owner.put(`/patterns/${pattern.id}`, { ends_at: "20:00" }, 200);

    expect([await unread(alice), await unread(bob)]).toEqual([0, 1]);
  });

  it("is told where it is published in two parts, around what its owner needs", async () => {
    const on = (hour: string) => `${dayAfter(4)}T${hour}:00Z`;
    const times = { start_time: on("13:00"), end_time: on("15:00") };
    await alice.post("/wishes", times, 201);
    const needed = { start_time: on("10:00"), end_time: on("12:00") };
    await owner.post("/exceptions", { kind: "keep", spot_id: spot.id, ...needed }, 201);
    await patternOf(owner, threeDays(spot));
    expect(await unread(alice)).toBe(1);
  });
});

describe("an offer that no longer fits", () => {
  it("keeps nothing from others: where a claim took a part of it", async () => {
    await wishOf(alice, 40, 42);
    await wishOf(bob, 41, 45);
    await wishOf(passer, 44, 46);
    const window = await windowOf(owner, spot, 38, 48);
    expect(await outcome(alice, window, 40, 42)).toBe("claimed");
    expect(await outcome(passer, window, 44, 46)).toBe("claimed");
  });

  it("keeps nothing from others: where its owner made the window shorter", async () => {
    await wishOf(alice, 44, 46);
    const window = await windowOf(owner, spot, 40, 48);
    expect(await outcome(bob, window, 40, 45)).toBe(WAIT);
    await owner.put(`/availabilities/${window.id}`, { end_time: hours(45) }, 200);
    expect(await outcome(bob, window, 40, 45)).toBe("claimed");
  });
});
