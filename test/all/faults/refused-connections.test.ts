import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { Client } from "pg";
import { withClient } from "../../../src/database/client.ts";
import type { Program } from "../../support/program.ts";
import { expectUnavailable } from "../../support/unavailable.ts";
import { until } from "../../support/waiting.ts";
import { type OwnBuilding, openOwnBuilding, type Resident } from "./own-building.ts";

let building: OwnBuilding;
let program: Program;
let ann: Resident;
beforeAll(async () => {
  building = await openOwnBuilding({ max_connections: "20" });
  program = await building.start();
  ann = await building.resident(program);
});
afterAll(async () => {
  await program.stop();
  await building.close();
});

/** In another database, which leaves that of the service without connections. */
const run = (sql: string) =>
  withClient(building.postgres.url("postgres").replace("/parking", "/postgres"), (client) =>
    client.query(sql),
  );
const endConnections = () =>
  run("select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = 'parking'");

const read = () => program.ask(ann, "GET", "/parking-spots");
const register = (spot_number: string) =>
  program.ask(ann, "POST", "/parking-spots", { spot_number, building_section: "North" });
const status = async (path: string) => (await fetch(`${program.origin}${path}`)).status;

/** Without a connection everything is 503, the log says why, and the service serves again by itself. */
async function expectOutage(reason: string, mend: () => Promise<unknown>): Promise<void> {
  const before = program.log.length;
  for (const answer of await Promise.all([read(), register("X"), read()])) {
    expectUnavailable(answer);
  }
  expect(await status("/readyz")).toBe(503);
  expect(await status("/livez")).toBe(200);
  await until("the reason", async () => {
    await read(); // the log has the newest reason of each second
    return program.log.slice(before).some((line) => line.includes(reason));
  });
  await mend();
  await until("an answer", async () => (await read()).status === 200);
  await until("readiness", async () => (await status("/readyz")) === 200);
}

/** All of this is for the operator to mend, and not about the request: it is no 403 and no 500. */
describe("a database that takes no new connection of the service", () => {
  it.each([
    [
      "has another password for it",
      "alter role parking_api valid until '2000-01-01'",
      "alter role parking_api valid until 'infinity'",
      '28P01 password authentication failed for user \\"parking_api\\"',
    ],
    [
      "does not let it log in",
      "alter role parking_api nologin",
      "alter role parking_api login",
      '28000 role \\"parking_api\\" is not permitted to log in',
    ],
    [
      "does not let it connect",
      "revoke connect on database parking from parking_api",
      "grant connect on database parking to parking_api",
      '42501 permission denied for database \\"parking\\"',
    ],
    [
      "lets it have no more connections",
      "alter role parking_api connection limit 0",
      "alter role parking_api connection limit -1",
      '53300 too many connections for role \\"parking_api\\"',
    ],
    [
      "takes none at all",
      "alter database parking allow_connections false",
      "alter database parking allow_connections true",
      '55000 database \\"parking\\" is not currently accepting connections',
    ],
  ])("because it %s serves with those that are open", async (_why, breakIt, mendIt, reason) => {
    await until("an open connection", async () => (await read()).status === 200);
    await run(breakIt);
    expect((await read()).status).toBe(200);
    await endConnections();
    await expectOutage(reason, () => run(mendIt));
  });

  it("because it has another name", async () => {
    // A database in use keeps its name, and the service connects again at any moment.
    await run("alter database parking allow_connections false");
    await endConnections();
    expectUnavailable(await read());
    await run("alter database parking rename to elsewhere");
    await run("alter database elsewhere allow_connections true");
    await expectOutage('3D000 database \\"parking\\" does not exist', () =>
      run("alter database elsewhere rename to parking"),
    );
  });

  it("because others have taken all", async () => {
    await run("alter role parking_api connection limit 0"); // so that it takes none back meanwhile
    await endConnections();
    const { rows } = await run(
      `select current_setting('max_connections')::integer
            - current_setting('superuser_reserved_connections')::integer as slots`,
    );
    // A refusal does not say that all are taken: a connection that is just ending has one too.
    const others: Client[] = [];
    await until("too many clients", async () => {
      const client = new Client({ connectionString: building.postgres.url("parking_owner") });
      client.on("error", () => {});
      await client.connect().then(
        () => others.push(client),
        ({ code }) => expect(code).toBe("53300"),
      );
      return others.length === rows[0].slots;
    });
    await run("alter role parking_api connection limit -1");
    await expectOutage("53300 remaining connection slots", () =>
      Promise.all(others.map((client) => client.end())),
    );
  });
});
