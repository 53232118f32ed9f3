import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { effort, isThorough, within } from "../../support/effort.ts";
import type { Program } from "../../support/program.ts";
import { served } from "../../support/served.ts";
import { until } from "../../support/waiting.ts";
import { startLoad } from "./load.ts";
import { type OwnBuilding, openOwnBuilding, type Resident } from "./own-building.ts";

const READY_WITHIN_MS = 10_000;

let building: OwnBuilding;
let program: Program;
let people: readonly Resident[];
beforeAll(async () => {
  building = await openOwnBuilding();
  program = await building.start();
  people = await Promise.all(Array.from({ length: 8 }, () => building.resident(program)));
});
afterAll(async () => {
  await program.stop();
  await building.close();
});

const status = async (path: string) => (await fetch(`${program.origin}${path}`)).status;
/** How long it takes, in milliseconds, until the service serves again. */
async function readiness(): Promise<number> {
  const start = performance.now();
  await until("readiness", async () => (await status("/readyz")) === 200);
  return performance.now() - start;
}

let load: ReturnType<typeof startLoad>;
beforeEach(() => {
  load = startLoad(program, people);
});
/** Everything that was acknowledged is there, and nobody got anything but an answer or 503. */
afterEach(async () => {
  const { acknowledged, statuses } = await load.stop();
  const kept = await building.postgres.rows(
    "select from parking.spots where id = any ($1::uuid[])",
    [acknowledged],
  );
  expect(kept.length).toBe(acknowledged.length);
  expect([...statuses.keys()].filter((it) => ![200, 201, 503].includes(Number(it)))).toEqual([]);
  expect(program.isRunning()).toBe(true);
});
const moreAcknowledged = async (): Promise<void> => {
  const { length } = load.acknowledged;
  await until("more writes", () => load.acknowledged.length > length + 20);
};

describe("a PostgreSQL under load", () => {
  it(`that is killed ${effort(2, 20)} times has every acknowledged write, and the service serves again`, async () => {
    const times: number[] = [];
    for (let kills = 0; kills < effort(2, 20); kills++) {
      await moreAcknowledged();
      await building.postgres.signal("SIGKILL");
      await building.postgres.ended();
      await until("unreadiness", async () => (await status("/readyz")) === 503);
      expect(await status("/livez")).toBe(200);
      await building.postgres.start();
      times.push(await readiness());
    }
    await moreAcknowledged();
    const { length } = load.acknowledged;
    if (isThorough) {
      console.info(`${length} writes; ready after ${times.map(Math.round).join(", ")} ms`);
    }
    expect(Math.max(...times)).toBeLessThan(within(READY_WITHIN_MS));
  }, 300_000);

  it("that is shut down and started again is no more than an outage", async () => {
    await moreAcknowledged();
    await building.postgres.stop();
    await until("unreadiness", async () => (await status("/readyz")) === 503);
    await sleep(effort(500, 10_000));
    await building.postgres.start();
    expect(await readiness()).toBeLessThan(within(READY_WITHIN_MS));
    await moreAcknowledged();
  });

  it("that does not run for a while answers what waited, and the rest is 503", async () => {
    await moreAcknowledged();
    await building.postgres.signal("SIGSTOP", "all");
    await until("unreadiness", async () => (await status("/readyz")) === 503);
    expect(await status("/livez")).toBe(200);
    await sleep(effort(500, 10_000));
    await building.postgres.signal("SIGCONT", "all");
    expect(await readiness()).toBeLessThan(within(READY_WITHIN_MS));
    await moreAcknowledged();
  });
});

it("a PostgreSQL that does not run keeps no service that is stopped", async () => {
  const other = await building.start();
  expect((await served(() => fetch(`${other.origin}/readyz`))).status).toBe(200);
  await building.postgres.signal("SIGSTOP", "all");
  try {
    await other.stop();
  } finally {
    await building.postgres.signal("SIGCONT", "all");
  }
});
