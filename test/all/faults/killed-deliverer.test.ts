import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { webhooksJob } from "../../../src/jobs/webhooks.ts";
import { createLogger } from "../../../src/log/logger.ts";
import { projectFolder } from "../../../src/project-folder.ts";
import { spotOf, useBuilding } from "../../support/building.ts";
import { effort } from "../../support/effort.ts";
import type { Person } from "../../support/person.ts";
import { type Received, type Receiver, startReceiver } from "../../support/receiver.ts";
import { until } from "../../support/waiting.ts";
import { deliveriesOf, type Webhook, webhookOf } from "../../support/webhooks.ts";

const building = useBuilding();
const administrator = building.shared("administrator");
let residents: readonly Person[];
/** Answers with success and failure, at random. */
let odd: Receiver;
/** Is killed, and comes back. */
let mortal: Receiver;
beforeAll(async () => {
  residents = await Promise.all(Array.from({ length: 4 }, () => building.resident()));
  [odd, mortal] = await Promise.all([startReceiver(), startReceiver()]);
});
let deliverer: ChildProcess | undefined;
afterAll(async () => {
  deliverer?.kill("SIGKILL");
  await Promise.all([odd.kill(), mortal.kill()]);
});

const SECONDS = 3;

function startDeliverer(): ChildProcess {
  const args = ["test/support/deliverer-program.ts", building.database.url("parking_api")];
  deliverer = spawn(process.execPath, [...args, String(SECONDS)], {
    cwd: projectFolder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  return deliverer;
}

/** Makes what has failed due now, as an operator does who has it tried again: the second wait is five minutes. */
const hurry = () =>
  building.rows(
    `update private.jobs
        set run_at = now(), failures = 0, ended_at = null
      where kind = 'webhook' and failure is not null and taken_until is null`,
  );

it("loses no event when it is killed at any moment, and repeats with the same id only", async () => {
  const types = { types: ["spot.registered"] };
  const toOdd = await webhookOf(administrator, { url: `${odd.origin}/odd`, ...types });
  const toMortal = await webhookOf(administrator, { url: `${mortal.origin}/204`, ...types });
  await webhookOf(administrator, { url: `${odd.origin}/hang`, ...types });

  const rounds = effort(4, 40);
  const received: Received[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const process = startDeliverer();
    const enough = odd.requests.length + 1 + Math.floor(Math.random() * 12);
    const load = Promise.all(
      residents.map(async (person) => {
        for (let i = 0; i < 4; i += 1) await spotOf(person);
      }),
    );
    await until("some are sent", async () => {
      await hurry();
      return odd.requests.length >= enough;
    });
    process.kill("SIGKILL");
    await once(process, "exit");
    if (round % 2 === 0) {
      await mortal.kill();
      received.push(...mortal.requests);
      mortal = await startReceiver(Number(new URL(mortal.origin).port));
    }
    await load;
  }

  startDeliverer();
  for (const webhook of [toOdd, toMortal])
    await until("all are delivered", async () => {
      await hurry();
      return (await undelivered(webhook)) === 0;
    });
  received.push(...mortal.requests);

  const events = await building.rows<{ id: string; subject_id: string }>(
    "select id, subject_id from private.events where type = 'spot.registered' order by id",
  );
  expect(events).toHaveLength(rounds * 16);
  for (const requests of [received, odd.requests.filter(({ path }) => path === "/odd")]) {
    const bodies = Map.groupBy(requests, ({ headers }) => headers["webhook-id"] ?? "");
    expect([...bodies.keys()].toSorted()).toEqual(events.map(({ id }) => id));
    for (const { id, subject_id } of events) {
      const [first, ...others] = new Set(bodies.get(id)?.map(({ body }) => body));
      expect(JSON.parse(first ?? "{}").data.id).toBe(subject_id);
      expect(others).toEqual([]);
    }
  }
});

async function undelivered(webhook: Webhook): Promise<number> {
  const [all, delivered] = await Promise.all(
    ["?limit=1", "?limit=1&state=delivered"].map((it) => deliveriesOf(administrator, webhook, it)),
  );
  const [waiting] = await building.rows<{ count: number }>(
    "select count(*)::int as count from private.new_events",
  );
  return (all?.total ?? 1) - (delivered?.total ?? 0) + (waiting?.count ?? 0);
}

it("takes work up again within a minute after its process was killed", () => {
  const { seconds } = webhooksJob(building.service.pool, createLogger("silent"), {});
  expect(2 * seconds).toBeLessThan(60); // the runner leases a job for twice as long
});
