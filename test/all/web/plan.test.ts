import { describe, expect, it } from "@jest/globals";
import { placeIn } from "../../../src/web/parts/place.ts";
import { daysOf, mondayOf, planOf, withConflict } from "../../../src/web/screens/spots/plan.ts";

describe("weekly hours", () => {
  const pattern = {
    id: "",
    spot_id: "",
    weekdays: ["MO", "FR"],
    starts_at: "20:00",
    ends_at: "07:00",
    first_day: "2026-10-23",
    last_day: null,
  } as const;

  it("are sent as they were read, and without the rest of the pattern", () => {
    const { id, spot_id, ...body } = pattern;
    expect(planOf(pattern)).toEqual(body);
  });
});

describe("a time to share", () => {
  it("is marked where it is past, or shared already", () => {
    const shared = {
      id: "",
      spot_id: "",
      start_time: new Date(2_000).toISOString(),
      end_time: new Date(3_000).toISOString(),
      is_claimed: false,
      created_at: "",
      updated_at: "",
    };
    const conflictOf = (start: number, end: number) =>
      withConflict({ start, end }, [shared], 1_000).conflict;

    expect(conflictOf(1_000, 1_500)).toBe("past");
    expect(conflictOf(1_500, 2_001)).toBe("overlaps");
    expect(conflictOf(1_500, 2_000)).toBeUndefined();
    expect(conflictOf(3_000, 4_000)).toBeUndefined();
  });
});

describe("a week", () => {
  it("begins on the Monday", () => {
    expect(["2026-11-22", "2026-11-23", "2026-11-24"].map(mondayOf)).toEqual([
      "2026-11-16",
      "2026-11-23",
      "2026-11-23",
    ]);
  });

  it("has days as long as the clock makes them", () => {
    const hours = daysOf("2026-10-19", "Europe/Berlin").map(
      ({ start, end }) => (end - start) / 3_600_000,
    );
    expect(hours).toEqual([24, 24, 24, 24, 24, 24, 25]);
  });

  it("shows the part of a span that is on a day", () => {
    const day = { start: 100, end: 200 };
    expect(placeIn({ start: 150, end: 300 }, day)).toEqual({ left: "50.000%", width: "50.000%" });
    expect(placeIn({ start: 0, end: 125 }, day)).toEqual({ left: "0.000%", width: "25.000%" });
    expect(placeIn({ start: 200, end: 300 }, day)).toBeUndefined();
  });
});
