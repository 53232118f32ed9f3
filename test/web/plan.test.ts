import { describe, expect, it } from "@jest/globals";
import { spansOf, type WeeklyPlan, withConflicts } from "../../src/web/screens/spots/plan.ts";

const plan: WeeklyPlan = {
  firstDay: "2026-10-23", // a Friday
  lastDay: "2026-10-30",
  weekdays: [0, 4],
  from: "08:00",
  until: "18:00",
};
const written = (plan: WeeklyPlan) =>
  spansOf(plan, "Europe/Berlin").map(({ start, end }) =>
    [start, end].map((moment) => new Date(moment).toISOString().slice(0, 16)),
  );

describe("sharing every week", () => {
  it("keeps its hours when the clocks change", () => {
    expect(written(plan)).toEqual([
      ["2026-10-23T06:00", "2026-10-23T16:00"],
      ["2026-10-26T07:00", "2026-10-26T17:00"],
      ["2026-10-30T07:00", "2026-10-30T17:00"],
    ]);
  });

  it("goes over midnight where it ends earlier than it begins", () => {
    const nights = { ...plan, lastDay: plan.firstDay, from: "20:00", until: "07:00" };

    expect(written(nights)).toEqual([["2026-10-23T18:00", "2026-10-24T05:00"]]);
  });

  it("makes a hundred windows at most", () => {
    const years = { ...plan, lastDay: "2036-01-01", weekdays: [0, 1, 2, 3, 4, 5, 6] };

    expect(spansOf(years, "UTC")).toHaveLength(100);
  });

  it("marks what is past, and what is shared already", () => {
    const [first = { start: 0, end: 0 }, second = first, third = first] = spansOf(plan, "UTC");
    const shared = {
      id: "",
      spot_id: "",
      start_time: new Date(second.end - 1).toISOString(),
      end_time: new Date(third.start).toISOString(),
      is_claimed: false,
      created_at: "",
      updated_at: "",
    };

    expect(
      withConflicts([first, second, third], [shared], first.start).map((it) => it.conflict),
    ).toEqual(["past", "overlap", undefined]);
  });
});
