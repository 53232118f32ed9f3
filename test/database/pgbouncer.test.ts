import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type Building, openBuilding } from "../support/building.ts";
import { freePort } from "../support/free-port.ts";
import { outcomeOf, postWithKey } from "../support/keyed.ts";
import type { Person } from "../support/person.ts";
import { noRateLimits, type Program, startProgram } from "../support/program.ts";

const program = ["/usr/sbin", ...(process.env.PATH ?? "").split(delimiter)]
  .map((folder) => join(folder, "pgbouncer"))
  .find((file) => existsSync(file));
const describeWithPgBouncer = program ? describe : describe.skip;

describeWithPgBouncer("PgBouncer in transaction mode, without prepared statements", () => {
  let building: Building;
  let person: Person;
  let folder: string;
  let bouncer: ChildProcess;
  let service: Program;
  beforeAll(async () => {
    building = await openBuilding();
    person = await building.resident();
    const { hostname, port, username, password, pathname } = new URL(
      building.database.url("parking_api"),
    );
    const name = pathname.slice(1);
    const listenPort = await freePort();
    folder = await mkdtemp(join(tmpdir(), "pgbouncer-"));
    const file = join(folder, "pgbouncer.ini");
    await writeFile(
      file,
      `[databases]
       ${name} = host=${hostname} port=${port} user=${username} password=${password}
       [pgbouncer]
       listen_addr = 127.0.0.1
       listen_port = ${listenPort}
       unix_socket_dir =
       auth_type = any
       pool_mode = transaction
       default_pool_size = 3
       server_reset_query_always = 0`.replaceAll(/^ +/gm, ""),
    );
    await chmod(folder, 0o755);
    // It refuses to run as root.
    const account = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
    bouncer = spawn(program ?? "", [...account, file], { stdio: "ignore" });
    service = await startProgram(building, {
      ...noRateLimits,
      RATE_LIMIT_STORE: "postgres",
      RATE_LIMIT_PER_MINUTE: "999999",
      DATABASE_URL: `postgres://parking_api@127.0.0.1:${listenPort}/${name}`,
      PREPARED_STATEMENTS: "false",
    });
  });
  afterAll(async () => {
    await service?.stop();
    const exited = once(bouncer, "exit");
    bouncer.kill("SIGTERM");
    await exited;
    await rm(folder, { recursive: true });
    await building.close();
  });

  it("serves reads, writes and GraphQL with PREPARED_STATEMENTS=false", async () => {
    const query = { query: "{ spots(first: 5) { nodes { id } } }" };
    const mutation = (i: number) => ({
      query: `mutation { createSpot(input: { spotNumber: "M-${i}", buildingSection: "North" }) { spot { id } } }`,
    });
    const ask = (i: number) => [
      service.ask(person, "GET", "/claims"),
      service.ask(person, "GET", "/profile"),
      service.ask(person, "POST", "/graphql", i % 2 === 0 ? query : mutation(i)),
      service.ask(person, "POST", "/parking-spots", {
        spot_number: `P-${i}`,
        building_section: "North",
      }),
    ];
    // More at once than PgBouncer has connections, and few enough for a busy machine: a request
    // waits for a connection for one second only.
    for (let i = 0; i < 20; i += 2) {
      const answers = await Promise.all([...ask(i), ...ask(i + 1)]);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 201]));
    }
    expect(await building.rows("select from parking.spots")).toHaveLength(30);
  });

  it("carries out requests with one key once", async () => {
    const body = { spot_number: "Once", building_section: "North" };
    const send = () =>
      outcomeOf(postWithKey(service.origin, person, "/parking-spots", "a key", body));
    const outcomes = await Promise.all([send(), send(), send(), send()]);
    expect(outcomes.filter((outcome) => outcome === "201")).toHaveLength(1);
    expect(await send()).toBe("201 again");
  });
});
