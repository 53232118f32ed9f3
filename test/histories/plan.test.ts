import { describe, expect, it } from "@jest/globals";
import { faults } from "./faults.ts";
import { planOf } from "./plan.ts";

const size = { owners: 2, residents: 3, administrators: 1, stepsOfEach: 20, faults: 10 };

describe("the plan of a seed", () => {
  it("is the same each time, and another for another seed", () => {
    expect(planOf(7, size)).toEqual(planOf(7, size));
    expect(planOf(8, size).steps).not.toEqual(planOf(7, size).steps);
  });

  it("gives each step a number of its own", () => {
    const numbers = planOf(7, size).steps.flatMap((steps) => steps.map(({ number }) => number));
    expect(new Set(numbers).size).toBe(6 * 20);
  });

  it("has each fault equally often, all before the last operation", () => {
    const planned = planOf(7, size).faults;
    for (const fault of faults) {
      expect(planned.filter((it) => it.fault === fault)).toHaveLength(2);
    }
    expect(planned.every(({ after }) => after > 0 && after < 6 * 20)).toBe(true);
  });
});
