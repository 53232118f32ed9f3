import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { countInMemory } from "../../src/limits/limits.ts";
import { type Clock, MINUTE, stopClock } from "./clock.ts";

const limit = { name: "any", points: 3, seconds: 60 };

let clock: Clock;
beforeEach(async () => {
  clock = await stopClock();
});
afterEach(() => clock.goOn());

/** Runs in a process of its own: here, what other test files leave behind is collected at any time. */
const measure = `
  import { countInMemory } from ${JSON.stringify(import.meta.resolve("../../src/limits/limits.ts"))};
  let now = 0;
  performance.now = () => now;
  const limit = ${JSON.stringify(limit)};
  const megabytes = () => (gc(), process.memoryUsage().heapUsed / 1e6);
  const counter = countInMemory();
  const before = megabytes();
  for (let i = 0; i < 200_000; i += 1) counter.charge([limit], "caller " + i, 1);
  const full = megabytes() - before;
  now += ${MINUTE};
  counter.charge([limit], "another", 1);
  const left = megabytes() - before;
  console.log(JSON.stringify({ full, left, standings: counter.charge([limit], "another", 0) }));
`;

it("windows that ended leave the memory when another is opened", async () => {
  const args = ["--expose-gc", "--input-type=module", "--eval", measure];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const { full, left, standings } = JSON.parse(stdout);
  expect(full).toBeGreaterThan(10);
  expect(left).toBeLessThan(full / 4);
  expect(standings).toMatchObject([{ remaining: 2 }]);
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
