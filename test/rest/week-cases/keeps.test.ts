import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { type Spot, spotOf, useBuilding, type Window } from "../../support/building.ts";
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
import { patternOf, threeDays } from "../../support/patterns.ts";
import type { Person } from "../../support/person.ts";

const building = useBuilding();
let owner: Person;
let neighbour: Person;
let spot: Spot;
beforeEach(async () => {
  [owner, neighbour] = [await building.resident(), await building.resident()];
  spot = await spotOf(owner);
});
afterEach(() => expectOrder(building));
const free = () => freeTime(neighbour, spot);
const noon = timesOn(3, "10:00", "12:00");
/** Withdraws all that is on offer of the spot on the third day, by hand. */
const withdrawAll = async () => {
  const { start_time, end_time } = timesOn(3, "00:00", "00:00", 1);
  for (const window of await shownOf(owner, spot)) {
    if (window.start_time < end_time && window.end_time > start_time) {
      await owner.delete(`/availabilities/${window.id}`, 200);
    }
  }
};

describe.each([
  ["by hand", () => windowOn(owner, spot, timesOn(3, "08:00", "18:00"))],
  [
    "of a pattern",
    async () => {
      await patternOf(owner, { ...threeDays(spot), last_day: threeDays(spot).first_day });
      return (await shownOf(owner, spot))[0] as Window;
    },
  ],
])("a part of a window %s that its owner keeps", (_which, publish) => {
  it("is not free until it is on offer again, and nothing else changes", async () => {
    await publish();
    const kept = await keep(owner, spot, noon);
    expect(await free()).toBe("3 08:00-10:00, 3 12:00-18:00");
    expect(await take(neighbour, spot, timesOn(3, "11:00", "13:00"))).toBeUndefined();
    await end(owner, kept);
    expect(await free()).toBe("3 08:00-18:00");
  });

  it("leaves the window with its id and its times, and says what is free", async () => {
    const window = await publish();
    const kept = await keep(owner, spot, noon);
    const { id, start_time, end_time } = window;
    const whole = { id, start_time, end_time, is_claimed: false };
    for (const person of [owner, neighbour]) {
      expect(await shownOf(person, spot)).toMatchObject([
        { ...whole, free: [timesOn(3, "08:00", "10:00"), timesOn(3, "12:00", "18:00")] },
      ]);
    }
    const inKept = { availability_id: id, ...timesOn(3, "09:00", "11:00") };
    expect(String((await neighbour.post("/claims", inKept)).status)).toMatch(/^4/);

    await end(owner, kept);
    const shown = await shownOf(neighbour, spot);
    expect(shown).toMatchObject([whole]);
    expect(shown[0]).not.toHaveProperty("free");
  });

  it("may be claimed on one side, which leaves the other free", async () => {
    await publish();
    await keep(owner, spot, noon);
    const claim = await take(neighbour, spot, timesOn(3, "13:00", "14:00"));
    expect(await free()).toBe("3 08:00-10:00");
    await cancel(neighbour, claim);
    expect(await free()).toBe("3 08:00-10:00, 3 12:00-18:00");
  });

  it("stays the claimer's who had claimed it, and is kept afterwards", async () => {
    await publish();
    const claim = await take(neighbour, spot, timesOn(3, "11:00", "13:00"));
    const kept = await keep(owner, spot, noon);
    expect(kept.claims).toMatchObject([{ id: claim?.id, status: "active" }]);
    await cancel(neighbour, claim);
    expect(await free()).toBe("3 08:00-10:00, 3 12:00-18:00");
    await end(owner, kept);
    expect(await free()).toBe("3 08:00-18:00");
  });
});

describe("a window that its owner keeps whole", () => {
  it("is shown to nobody else, also where a claim of it was cancelled", async () => {
    const window = await windowOn(owner, spot, timesOn(3, "08:00", "18:00"));
    await cancel(neighbour, await take(neighbour, spot, window));
    const kept = await keep(owner, spot, timesOn(3, "06:00", "20:00"));

    const list = await neighbour.get(`/availabilities?spot_id=${spot.id}`, 200);
    expect(list.body).toEqual({ availabilities: [], total: 0 });
    expect((await neighbour.get(`/availabilities/${window.id}`)).status).toBe(404);
    const { start_time, end_time } = window;
    expect(await owner.get(`/availabilities/${window.id}`, 200)).toMatchObject({
      body: { availability: { start_time, end_time, is_claimed: false, free: [] } },
    });

    await end(owner, kept);
    expect(await shownOf(neighbour, spot)).toMatchObject([{ id: window.id, start_time, end_time }]);
  });

  it("is on offer in the hours by which its time is longer", async () => {
    await windowOn(owner, spot, timesOn(3, "08:00", "12:00"));
    await windowOn(owner, spot, timesOn(3, "12:00", "18:00"));
    await keep(owner, spot, timesOn(3, "07:00", "13:00"));
    await keep(owner, spot, timesOn(3, "12:00", "14:00"));
    expect(await free()).toBe("3 14:00-18:00");
  });
});

describe("what was kept of a window that its owner withdrew by hand", () => {
  it("is not on offer again, where it was shared by hand", async () => {
    await windowOn(owner, spot, timesOn(3, "08:00", "18:00"));
    const kept = await keep(owner, spot, noon);
    await withdrawAll();
    await end(owner, kept);
    expect(await free()).toBe("");
  });

  it("is not on offer again by the pattern of which it was withdrawn", async () => {
    await patternOf(owner, threeDays(spot));
    const kept = await keep(owner, spot, noon);
    await withdrawAll();
    await end(owner, kept);
    expect(await free()).toBe("4 08:00-18:00, 5 08:00-18:00");
  });

  it("is on offer again by another pattern that shares it", async () => {
    await patternOf(owner, threeDays(spot));
    await patternOf(owner, { ...threeDays(spot), starts_at: "09:00", ends_at: "12:00" });
    const kept = await keep(owner, spot, noon);
    await withdrawAll();
    const others = ", 4 08:00-18:00, 5 08:00-18:00";
    expect(await free()).toBe(`3 09:00-10:00${others}`);
    await end(owner, kept);
    expect(await free()).toBe(`3 09:00-12:00${others}`);
  });
});

describe("keeps that overlap", () => {
  it("each keep their time, whichever is ended first", async () => {
    await windowOn(owner, spot, timesOn(3, "08:00", "18:00"));
    const first = await keep(owner, spot, timesOn(3, "10:00", "13:00"));
    const second = await keep(owner, spot, timesOn(3, "12:00", "15:00"));
    expect(await free()).toBe("3 08:00-10:00, 3 15:00-18:00");
    await end(owner, first);
    expect(await free()).toBe("3 08:00-12:00, 3 15:00-18:00");
    await end(owner, second);
    expect(await free()).toBe("3 08:00-18:00");
  });

  it("bind what is published after them", async () => {
    const kept = await keep(owner, spot, noon);
    await patternOf(owner, threeDays(spot));
    expect(await free()).toBe("3 08:00-10:00, 3 12:00-18:00, 4 08:00-18:00, 5 08:00-18:00");
    await end(owner, kept);
    expect(await free()).toBe("3 08:00-18:00, 4 08:00-18:00, 5 08:00-18:00");
  });
});
