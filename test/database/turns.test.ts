import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { inTurn } from "../../src/database/turns.ts";

/** How requests for one row end, in the order in which they do. */
function outcomesOf(count: number, key: string, ended: string[]): Promise<unknown> {
  const request = () =>
    inTurn({ key, most: 1, reasons: ["full", "late"] }, () => sleep(100)).then(
      () => ended.push("served"),
      () => ended.push("refused"),
    );
  return Promise.all(Array.from({ length: count }, request));
}

describe("a line of requests for one row", () => {
  it("refuses at once who would wait for longer than half a second, as the last ones took", async () => {
    const ended: string[] = [];
    const first = outcomesOf(3, "slow", ended);
    while (ended.length === 0) await sleep(1);
    await Promise.all([first, outcomesOf(50, "slow", ended)]);

    const beforeTheNext = ended.slice(1, 41);
    expect(beforeTheNext).toEqual(Array.from({ length: 40 }, () => "refused"));
    expect(ended.filter((it) => it === "served").length).toBeGreaterThanOrEqual(3);
  });

  it("lets a hundred wait where it does not know how long they take", async () => {
    const ended: string[] = [];
    await outcomesOf(103, "new", ended);
    expect(ended.slice(0, 2)).toEqual(["refused", "refused"]);
    expect(ended.slice(2, 4)).toEqual(["served", "served"]);
  });
});
