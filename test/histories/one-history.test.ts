import { describe, expect, it } from "@jest/globals";
import { faults } from "./faults.ts";
import { faultyTarget } from "./target.ts";
import { tryOut } from "./trial.ts";

/** test/all/histories tries longer ones, and other seeds. */
const size = { owners: 2, residents: 4, administrators: 1, stepsOfEach: 12 };

describe("what seven people see who act all at once", () => {
  it("is possible although each kind of fault happens once", async () => {
    const { caused, operations, problems } = await tryOut({
      seed: 1,
      size: { ...size, faults: faults.length },
      targetOf: faultyTarget,
    });
    expect(problems.join("\n\n")).toBe("");
    expect(new Set(caused)).toEqual(new Set(faults));
    expect(operations.some(({ outcome }) => outcome.result === "happened")).toBe(true);
  });
});
