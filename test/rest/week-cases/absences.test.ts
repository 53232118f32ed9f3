import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { type Spot, spotOf, useBuilding } from "../../support/building.ts";
import { expectOrder } from "../../support/exceptions.ts";
import { absence, cancel, end, freeTime, shownOf, take, timesOn } from "../../support/free-time.ts";
import { dayAfter, patternOf, threeDays } from "../../support/patterns.ts";
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

describe("an absence", () => {
  it("is one window, although a pattern shares some of its hours", async () => {
    const friday = 3 + ((12 - new Date(dayAfter(3)).getUTCDay()) % 7);
    await patternOf(owner, {
      spot_id: spot.id,
      weekdays: ["MO", "TU", "WE", "TH", "FR"],
      starts_at: "18:00",
      ends_at: "08:00",
      first_day: dayAfter(friday - 1),
      last_day: dayAfter(friday + 3),
    });
    await absence(owner, spot, timesOn(friday, "00:00", "08:00", 3));
    expect(await free()).toBe(
      `${friday - 1} 18:00-${friday + 3} 08:00, ${friday + 3} 18:00-${friday + 4} 08:00`,
    );
    expect(await take(neighbour, spot, timesOn(friday, "12:00", "12:00", 1))).toBeDefined();
  });

  it("ends with what the pattern shares on offer", async () => {
    await patternOf(owner, threeDays(spot));
    const away = await absence(owner, spot, timesOn(3, "10:00", "20:00", 1));
    expect(await free()).toBe("3 08:00-4 20:00, 5 08:00-18:00");
    await end(owner, away);
    expect(await free()).toBe("3 08:00-18:00, 4 08:00-18:00, 5 08:00-18:00");
  });
});

describe("of two absences that overlap, one is ended", () => {
  it.each([
    ["first", "3 12:00-20:00"],
    ["second", "3 08:00-16:00"],
  ])("the %s, and the other's time is still on offer", async (which, left) => {
    const first = await absence(owner, spot, timesOn(3, "08:00", "16:00"));
    const second = await absence(owner, spot, timesOn(3, "12:00", "20:00"));
    expect(await free()).toBe("3 08:00-20:00");
    await end(owner, which === "first" ? first : second);
    expect(await free()).toBe(left);
  });

  it("and what its owner withdrew of the other stays withdrawn", async () => {
    const first = await absence(owner, spot, timesOn(3, "08:00", "16:00"));
    await absence(owner, spot, timesOn(3, "12:00", "20:00"));
    const evening = (await shownOf(owner, spot)).find(
      ({ end_time }) => end_time === timesOn(3, "08:00", "20:00").end_time,
    );
    await owner.delete(`/availabilities/${evening?.id}`, 200);
    expect(await free()).toBe("3 08:00-16:00");
    await end(owner, first);
    expect(await free()).toBe("3 12:00-16:00");
  });

  it("and a claim in both frees what the other shares", async () => {
    const first = await absence(owner, spot, timesOn(3, "08:00", "16:00"));
    await absence(owner, spot, timesOn(3, "12:00", "20:00"));
    const claim = await take(neighbour, spot, timesOn(3, "10:00", "14:00"));
    await end(owner, first);
    await cancel(neighbour, claim);
    expect(await free()).toBe("3 12:00-20:00");
  });
});
