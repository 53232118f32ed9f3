import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, expect, it, jest } from "@jest/globals";
import { countInMemory } from "../../src/limits/counters.ts";
import { type Clock, MINUTE, stopClock } from "./clock.ts";

const limit = { name: "any", points: 3, seconds: 60 };

let clock: Clock;
beforeEach(async () => {
  clock = await stopClock();
});
afterEach(() => clock.goOn());

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");
/** What is held after all that other test files have left behind is gone. */
const megabytes = async (): Promise<number> => {
  jest.clearAllMocks(); // the clock keeps each time that it was asked
  for (let before = Infinity; ; ) {
    collect();
    const { heapUsed } = process.memoryUsage();
    if (heapUsed > before - 100_000) return heapUsed / 1e6;
    before = heapUsed;
    await setImmediate();
  }
};

it("windows that ended leave the memory when another is opened", async () => {
  const counter = countInMemory();
  const before = await megabytes();
  for (let i = 0; i < 200_000; i += 1) counter.charge([limit], `caller ${i}`, 1);
  const full = (await megabytes()) - before;
  await clock.pass(MINUTE);

  counter.charge([limit], "another", 1);

  expect(full).toBeGreaterThan(10);
  expect((await megabytes()) - before).toBeLessThan(full / 4);
});

it("a window that is still open stays when another is opened", async () => {
  const counter = countInMemory();
  counter.charge([limit], "first", 1);
  await clock.pass(MINUTE / 2);
  counter.charge([limit], "second", 1);
  await clock.pass(MINUTE / 2);
  counter.charge([limit], "first", 1);

  expect(counter.charge([limit], "second", 0)).toMatchObject([{ remaining: 2 }]);
  expect(counter.charge([limit], "first", 0)).toMatchObject([{ remaining: 2 }]);
});
