import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { withClient } from "../../../src/database/client.ts";
import { type Building, openBuilding } from "../../support/building.ts";
import { databaseOn } from "../../support/database.ts";
import { effort, within } from "../../support/effort.ts";
import type { Person } from "../../support/person.ts";
import { noRateLimits, type Program, startProgram } from "../../support/program.ts";
import { type Server, type Standby, startPrimary, startStandby } from "../../support/standby.ts";
import { until } from "../../support/waiting.ts";

const rounds = Array.from({ length: effort(1, 10) }, (_, i) => i + 1);
const WRITERS = 8;

let primary: Server;
let building: Building;
let writers: readonly Person[];
/** Milliseconds from the death of a primary to the first write that the next one takes. */
const outages: number[] = [];
beforeAll(async () => {
  primary = await startPrimary();
  building = await openBuilding({}, await databaseOn(primary.postgres));
  writers = await Promise.all(Array.from({ length: WRITERS }, () => building.resident()));
});
afterAll(async () => {
  process.stderr.write(`writes again after ${outages.map(Math.round).join(", ")} ms\n`);
  await building.close();
  await primary.stop();
});

/** The URL of both, in the order that libpq reads them. */
function urlOf(...servers: readonly Server[]): string {
  const [first = "", ...others] = servers.map(({ postgres }) =>
    postgres.url("parking_api", "parking"),
  );
  const { host } = new URL(first);
  return first.replace(host, [host, ...others.map((url) => new URL(url).host)].join(","));
}

const ask = <Row>({ postgres }: Server, sql: string, values: readonly unknown[] = []) =>
  withClient(postgres.url("postgres", "parking"), async (client) => {
    return (await client.query(sql, [...values])).rows as Row[];
  });

interface Load {
  /** The ids of the spots whose registration was acknowledged, in the order of the answers. */
  readonly acknowledged: readonly string[];
  readonly statuses: ReadonlySet<number>;
  stop(): Promise<void>;
}

let spots = 0;

/** Registers spots without a pause, in the name of all writers at once. */
function load(program: Program): Load {
  const acknowledged: string[] = [];
  const statuses = new Set<number>();
  let isOver = false;
  const running = writers.map(async (writer) => {
    while (!isOver) {
      spots += 1;
      const body = { spot_number: `F-${spots}`, building_section: "North" };
      const answer = await program.ask(writer, "POST", "/parking-spots", body);
      statuses.add(answer.status);
      const id = answer.headers.get("Location")?.split("/").at(-1);
      if (answer.status === 201 && id) acknowledged.push(id);
    }
  });
  return {
    acknowledged,
    statuses,
    stop: async () => {
      isOver = true;
      await Promise.all(running);
    },
  };
}

/** Kills the primary under load and promotes its standby; the next round's primary is that one. */
async function failOver(standby: Standby, program: Program): Promise<number> {
  const { acknowledged, statuses, stop } = load(program);
  await until("acknowledged writes", () => acknowledged.length > 50);
  const killedAt = performance.now();
  await primary.kill();
  await standby.promote();
  const before = acknowledged.length;
  await until("a write to the new primary", () => acknowledged.length > before);
  const outage = performance.now() - killedAt;
  await until("more of them", () => acknowledged.length > before + 50);
  await stop();

  expect([...statuses].filter((status) => status !== 201 && status !== 503)).toEqual([]);
  const there = await ask<{ id: string }>(
    standby,
    "select id from parking.spots where id = any($1)",
    [acknowledged],
  );
  expect(new Set(there.map(({ id }) => id))).toEqual(new Set(acknowledged));
  expect(program.isRunning()).toBe(true);
  return outage;
}

describe("a primary that is killed under load while a synchronous standby is promoted", () => {
  it.each(rounds)(
    "takes no acknowledged write with it, and the service goes on without a restart (%i)",
    async () => {
      const standby = await startStandby(primary);
      await makeSynchronous();
      const program = await startProgram(building, {
        ...noRateLimits,
        DATABASE_URL: urlOf(primary, standby),
      });
      try {
        outages.push(await failOver(standby, program));
      } finally {
        await program.stop();
        await primary.stop();
        primary = standby;
      }
      expect(Math.max(...outages)).toBeLessThan(within(10_000));
    },
  );
});

/** From now on the primary acknowledges what its standby has too. */
async function makeSynchronous(): Promise<void> {
  await ask(primary, "alter system set synchronous_standby_names = 'standby'");
  await ask(primary, "select pg_reload_conf()");
  await until("a synchronous standby", async () => {
    const rows = await ask(primary, "select from pg_stat_replication where sync_state = 'sync'");
    return rows.length === 1;
  });
}
