/**
 * What a replica and a PgBouncer cost or spare: the service as it is, with READ_DATABASE_URL, and
 * through PgBouncer (of this machine, or the one that PGBOUNCER names), in turns. The load, the
 * services and all servers share the processors: what counts is the processor time of each.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { passwordOf } from "../src/embedded/passwords.ts";
import { projectFolder } from "../src/project-folder.ts";
import { databaseOn } from "../test/support/database.ts";
import setUp from "../test/support/global-setup.ts";
import tearDown from "../test/support/global-teardown.ts";
import { findPgBouncer, keepsStatements, startPgBouncer } from "../test/support/pgbouncer.ts";
import { type Server, startPrimary, startStandby } from "../test/support/standby.ts";
import { startProgram } from "./contenders/program.ts";
import { startLoad } from "./load/load.ts";
import type { Step } from "./load/script.ts";
import { cpuOf, cpuOfFamily } from "./machine.ts";
import { median } from "./statistics.ts";

const ROUNDS = 5;
const SECONDS = 2;
const CONNECTIONS = 8;

const { PGBOUNCER } = process.env;
process.env.PGBOUNCER = ""; // the helpers of the tests need none
await setUp();
// It writes what the helpers of the tests read when they are loaded.
const { openBuilding, spotOf } = await import("../test/support/building.ts");
const { noRateLimits } = await import("../test/support/program.ts");

await using held = new AsyncDisposableStack();
held.defer(tearDown);
const primary = held.adopt(await startPrimary(), (it) => it.stop());
const database = await databaseOn(primary.postgres);
const standby = held.adopt(await startStandby(primary), (it) => it.stop());
const building = held.adopt(await openBuilding({}, database), (it) => it.close());
const people = await Promise.all(Array.from({ length: CONNECTIONS }, () => building.resident()));
const spot = await spotOf(people[0] ?? (await building.resident()));
for (const person of people) await spotOf(person);

const pidOf = async ({ folder }: Server): Promise<number> =>
  Number.parseInt(await readFile(join(folder, "cluster/data/postmaster.pid"), "utf8"), 10);
const [primaryPid, standbyPid] = [await pidOf(primary), await pidOf(standby)];

const { issuer, audience } = building.service.issuer;
const start = async (name: string, settings: Readonly<Record<string, string>>) => {
  const program = await startProgram(join(projectFolder, "src/main.ts"), {
    cwd: projectFolder,
    env: {
      DATABASE_URL: database.url("parking_api"),
      AUTH_ISSUER: issuer,
      AUTH_AUDIENCE: audience,
      PORT: "0",
      ...noRateLimits,
      ...settings,
    },
  });
  return { name, program: held.use(program) };
};
const contenders = [
  await start("as it is", {}),
  await start("with READ_DATABASE_URL", {
    READ_DATABASE_URL: standby.postgres.url("parking_api", "parking"),
  }),
];
const program = PGBOUNCER || findPgBouncer();
if (program) {
  const { port, password } = primary.postgres;
  const passwords = { parking_api: passwordOf("parking_api", password) };
  const options = { program, serverPort: port, passwords, connections: 10 };
  const url = new URL(database.url("parking_api"));
  url.port = String(held.use(await startPgBouncer(options)).port);
  const preparedStatements = keepsStatements(program);
  contenders.push(
    await start(`through PgBouncer${preparedStatements ? "" : ", without prepared statements"}`, {
      DATABASE_URL: url.href,
      PREPARED_STATEMENTS: String(preparedStatements),
    }),
  );
}

const reads = (path: string): readonly Step[] => [{ method: "GET", path, statuses: [200] }];
const scripts: Readonly<Record<string, readonly Step[]>> = {
  "GET one spot": reads(`/api/parking-spots/${spot.id}`),
  "GET nine spots": reads("/api/parking-spots"),
  "a spot registered and removed": [
    {
      method: "POST",
      path: "/api/parking-spots",
      body: '{"spot_number":"B-{start}","building_section":"North"}',
      statuses: [201, 409],
      keep: '"id":"([^"]+)"',
    },
    { method: "DELETE", path: "/api/parking-spots/{kept}", statuses: [200] },
  ],
};

interface Turn {
  readonly rate: number;
  readonly p50: number;
  readonly service: number;
  readonly primary: number;
  readonly standby: number;
}

const load = startLoad();
held.defer(load.close);

async function turn(origin: string, pid: number, steps: readonly Step[]): Promise<Turn> {
  const used = () => [cpuOf(pid) ?? 0, cpuOfFamily(primaryPid) ?? 0, cpuOfFamily(standbyPid) ?? 0];
  const before = used();
  const { count, seconds, p50 } = await load.run({
    origin,
    seconds: SECONDS,
    answers: 100,
    scripts: people.map(({ token }) => ({ token, steps })),
  });
  const [service = 0, first = 0, second = 0] = used().map(
    (after, i) => ((after - (before[i] ?? 0)) * 1000) / count,
  );
  return { rate: count / seconds, p50, service, primary: first, standby: second };
}

for (const [what, steps] of Object.entries(scripts)) {
  const turns = contenders.map((): Turn[] => []);
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [i, { program: it }] of contenders.entries()) {
      const taken = await turn(it.origin, it.pid, steps);
      if (round > 0) turns[i]?.push(taken); // the first one warms up
    }
  }
  console.log(`\n${what}\n| | answers/s | p50 ms | service µs | primary µs | standby µs |`);
  console.log("| --- | ---: | ---: | ---: | ---: | ---: |");
  for (const [i, { name }] of contenders.entries()) {
    const keys = ["rate", "p50", "service", "primary", "standby"] as const;
    const cells = keys.map((key) => {
      const value = median(turns[i]?.map((it) => it[key]) ?? []);
      return value.toFixed(key === "p50" ? 1 : 0);
    });
    console.log(`| ${name} | ${cells.join(" | ")} |`);
  }
}
