import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { withClient } from "../../../src/database/client.ts";
import { type Building, openBuilding } from "../../support/building.ts";
import { databaseOn } from "../../support/database.ts";
import { freePort } from "../../support/free-port.ts";
import { scrape } from "../../support/metrics.ts";
import type { Person } from "../../support/person.ts";
import { noRateLimits, type Program, startProgram } from "../../support/program.ts";
import { type Server, type Standby, startPrimary, startStandby } from "../../support/standby.ts";
import { expectUnavailable } from "../../support/unavailable.ts";
import { until } from "../../support/waiting.ts";

/** The last three of the ten connections are left to reads. */
const WRITES = 7;

let primary: Server;
let standby: Standby;
let building: Building;
let people: readonly Person[];
beforeAll(async () => {
  primary = await startPrimary();
  building = await openBuilding({}, await databaseOn(primary.postgres));
  people = await Promise.all(Array.from({ length: 30 }, building.resident));
  standby = await startStandby(primary);
  await ask("alter system set synchronous_standby_names = 'standby'");
  await ask("select pg_reload_conf()");
  await until("a synchronous standby", async () => {
    const rows = await ask("select from pg_stat_replication where sync_state = 'sync'");
    return rows.length === 1;
  });
  await standby.kill();
});
afterAll(async () => {
  await building.close();
  await standby.stop();
  await primary.stop();
});

let program: Program;
let port: number;
beforeEach(async () => {
  port = await freePort();
  // Without jobs, whose commits would wait too.
  const settings = { ...noRateLimits, ADMIN_PORT: String(port), LOG_LEVEL: "info", JOBS: "off" };
  program = await startProgram(building, settings);
});
afterEach(() => program.kill());

const ask = (sql: string) =>
  withClient(primary.postgres.url("postgres", "parking"), async (client) => {
    return (await client.query(sql)).rows;
  });
const untilCommitsWait = (count: number) =>
  until(`${count} commits that wait`, async () => {
    const rows = await ask("select from pg_stat_activity where wait_event = 'SyncRep'");
    return rows.length === count;
  });
const spotOfEach = () =>
  people.map((person, i) =>
    program.ask(person, "POST", "/parking-spots", {
      spot_number: `S-${i}`,
      building_section: "North",
    }),
  );
const logged = (message: string) => program.log.filter((line) => line.includes(message));

describe("a synchronous standby that is gone", () => {
  it("takes no more than two thirds of the connections, and the commits are named", async () => {
    const [reader] = people;
    if (!reader) throw new Error("nobody");
    const writes = spotOfEach();
    await untilCommitsWait(WRITES);

    for (const path of ["/parking-spots", "/claims", "/profile", "/dashboard"]) {
      // On a busy machine a connection may take longer than a request waits.
      await until(path, async () => (await program.ask(reader, "GET", path)).status === 200);
    }
    await until("their number", async () => {
      return (await scrape(port)).value("parking_database_waiting_commits") === WRITES;
    });
    await until("their age", async () => {
      const { value } = await scrape(port);
      return (value("parking_database_oldest_waiting_commit_seconds") ?? 0) > 1;
    });
    const named = "commits wait for a synchronous standby";
    await until("the line", () => logged(named).length > 0);
    const line = JSON.parse(logged(named)[0] ?? "");
    expect(line).toMatchObject({
      level: "error",
      commits: expect.any(Number),
      standbys: "standby",
    });

    // From then on a write is refused at once, and leaves no session behind.
    const spot = { spot_number: "S-late", building_section: "North" };
    // The log gives one reason a second, which may be that of another refusal.
    await until("the reason", async () => {
      expectUnavailable(await program.ask(reader, "POST", "/parking-spots", spot));
      return logged(`"reason":"${named}"`).length > 0;
    });
    await untilCommitsWait(WRITES);

    await ask("alter system reset synchronous_standby_names");
    await ask("select pg_reload_conf()");
    const statuses = (await Promise.all(writes)).map(({ status }) => status);
    expect(statuses.filter((status) => status !== 201 && status !== 503)).toEqual([]);
    await until("the end", () => logged("commits no longer wait").length === 1);
    await until("a write", async () => {
      return (await program.ask(reader, "POST", "/parking-spots", spot)).status === 201;
    });
  });
});
