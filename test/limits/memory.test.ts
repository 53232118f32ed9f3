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
const megabytes = (): number => {
  jest.clearAllMocks(); // the clock keeps each time that it was asked
  collect();
  return process.memoryUsage().heapUsed / 1e6;
};

it("windows that ended leave the memory when another is opened", async () => {
  const counter = countInMemory();
  const before = megabytes();
  for (let i = 0; i < 200_000; i += 1) counter.charge([limit], `caller ${i}`, 1);
  const full = megabytes() - before;
  await clock.pass(MINUTE);

  counter.charge([limit], "another", 1);

  expect(full).toBeGreaterThan(10);
  expect(megabytes() - before).toBeLessThan(full / 4);
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
