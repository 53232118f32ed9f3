import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { withClient } from "../../../src/database/client.ts";
import { type Building, openBuilding } from "../../support/building.ts";
import { databaseOn } from "../../support/database.ts";
import { effort, within } from "../../support/effort.ts";
import { type Endpoint, endpoints } from "../../support/endpoints.ts";
import type { Person } from "../../support/person.ts";
import { findPgBouncer, keepsStatements } from "../../support/pgbouncer.ts";
import { noRateLimits, type Program, startProgram } from "../../support/program.ts";
import { type Server, type Standby, startPrimary, startStandby } from "../../support/standby.ts";
import { until } from "../../support/waiting.ts";

const rounds = Array.from({ length: effort(1, 5) }, endpoints).flat();
const WRITERS = 8;
/** HAProxy asks each second. */
const SEES_IT_WITHIN_MS = 1_000;

let primary: Server;
let building: Building;
let writers: readonly Person[];
/** Milliseconds to the first write that the next primary takes. */
interface Outage {
  readonly afterDeath: number;
  readonly afterLeading: number;
}
const outages: string[] = [];
beforeAll(async () => {
  primary = await startPrimary();
  building = await openBuilding({}, await databaseOn(primary.postgres));
  writers = await Promise.all(Array.from({ length: WRITERS }, () => building.resident()));
});
afterAll(async () => {
  process.stderr.write(`writes again:\n${outages.join("\n")}\n`);
  await building.close();
  await primary.stop();
});

const urlOf = ({ postgres }: Server): URL => new URL(postgres.url("parking_api", "parking"));

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
async function failOver(standby: Standby, endpoint: Endpoint, program: Program): Promise<Outage> {
  const { acknowledged, statuses, stop } = load(program);
  await until("acknowledged writes", () => acknowledged.length > 50);
  const killedAt = performance.now();
  await primary.kill();
  await standby.promote();
  await endpoint.leadToTheOther();
  const leadsAt = performance.now();
  const before = acknowledged.length;
  await until("a write to the new primary", () => acknowledged.length > before);
  const writesAt = performance.now();
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
  return { afterDeath: writesAt - killedAt, afterLeading: writesAt - leadsAt };
}

describe("a primary that is killed under load while a synchronous standby is promoted", () => {
  it.each(rounds)(
    "takes no acknowledged write with it; through %s the service goes on without a restart",
    async (name, start) => {
      const standby = await startStandby(primary);
      await makeSynchronous();
      await using endpoint = await start([urlOf(primary), urlOf(standby)]);
      const program = await startProgram(building, {
        ...noRateLimits,
        DATABASE_URL: Object.assign(urlOf(primary), { port: String(endpoint.port) }).href,
        PREPARED_STATEMENTS: String(name !== "PgBouncer" || keepsStatements(findPgBouncer() ?? "")),
      });
      try {
        const { afterDeath, afterLeading } = await failOver(standby, endpoint, program);
        outages.push(`${name}: ${Math.round(afterDeath)} ms, ${Math.round(afterLeading)} ms`);
        expect(afterLeading).toBeLessThan(within(2_000 + SEES_IT_WITHIN_MS));
      } finally {
        await program.stop();
        await primary.stop();
        primary = standby;
      }
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
