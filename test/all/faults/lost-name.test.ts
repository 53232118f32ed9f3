import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type Arena, openArena } from "../../support/arena.ts";
import type { Person } from "../../support/person.ts";
import { noRateLimits, type Program, startProgram } from "../../support/program.ts";
import { expectUnavailable } from "../../support/unavailable.ts";
import { until } from "../../support/waiting.ts";

/** In a name space of its own a process has its own /etc/hosts, and asks no name server. */
const itWithNames =
  process.platform === "linux" && spawnSync("unshare", ["--mount", "true"]).status === 0
    ? it
    : it.skip;

let building: Arena;
let person: Person;
let folder: string;
let program: Program | undefined;
beforeAll(async () => {
  building = await openArena(1);
  person = await building.resident();
  folder = await mkdtemp(join(tmpdir(), "names-"));
  await writeFile(
    join(folder, "resolv.conf"),
    "nameserver 127.0.0.1\noptions timeout:1 attempts:1\n",
  );
});
afterAll(async () => {
  await program?.stop();
  await building.close();
  await rm(folder, { recursive: true });
});

/** The same file, for the process has that one. */
const write = (hosts: string) => writeFile(join(folder, "hosts"), hosts);
const known = "127.0.0.1 localhost database.test\n";
const unknown = "127.0.0.1 localhost\n";

const start = (log: string[]): Promise<Program> => {
  const DATABASE_URL = building.database.url("parking_api").replace("127.0.0.1", "database.test");
  const settings = { ...noRateLimits, DATABASE_URL, LOG_LEVEL: "warn" };
  const mounts = `mount --bind ${folder}/hosts /etc/hosts && mount --bind ${folder}/resolv.conf /etc/resolv.conf`;
  return startProgram(building, settings, log, [
    "unshare",
    "--mount",
    "sh",
    "-c",
    `${mounts} && exec "$@"`,
    "sh",
    process.execPath,
  ]);
};

describe("the name of the database", () => {
  itWithNames("may be unknown for a while, at the start and later", async () => {
    await write(unknown);
    const log: string[] = [];
    const starting = start(log);
    await until("a line in the log", () =>
      log.some((line) => /getaddrinfo \w+ database.test.*does not answer yet/.test(line)),
    );
    await write(known);
    program = await starting;
    const { ask, origin } = program;
    const read = () => ask(person, "GET", "/parking-spots");
    await until("an answer", async () => (await read()).status === 200);

    await write(unknown);
    expect((await read()).status).toBe(200); // by a connection that is open
    await building.superuser.query(
      `select pg_terminate_backend(pid, 5000)
         from pg_stat_activity
        where datname = current_database() and application_name = 'parking'`,
    );
    for (const answer of await Promise.all([read(), read(), read()])) expectUnavailable(answer);
    expect((await fetch(`${origin}/readyz`)).status).toBe(503);
    expect((await fetch(`${origin}/livez`)).status).toBe(200);

    await write(known);
    await until("an answer", async () => (await read()).status === 200);
  });
});
