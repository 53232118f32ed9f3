import { rmSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { withClient } from "../../src/database/client.ts";
import { createLogger } from "../../src/log/logger.ts";
import { projectFolder } from "../../src/project-folder.ts";
import { parentOf } from "../machine.ts";

/** How large a building is; see fill.sql. */
export interface Size {
  readonly spots: number;
  readonly past: number;
  readonly future: number;
  readonly claims: number;
  readonly claimers: number;
}

/** 300 windows, and for each of 16 readers about 120 claims and 55 notifications. */
export const usualSize: Size = { spots: 60, past: 0, future: 5, claims: 6, claimers: 16 };
export const yearOfHistory: Size = { spots: 100, past: 260, future: 90, claims: 1, claimers: 100 };
/** Seven million windows, 180,000 of them in the future, and as many claims. */
export const tenYearsOfHistory: Size = {
  spots: 2000,
  past: 3410,
  future: 90,
  claims: 1,
  claimers: 2000,
};

/** PostgreSQL plans without statistics until it vacuums or analyzes, which a fresh building waits for. */
export type State = "vacuumed" | "fresh";

/** A PostgreSQL cluster with the schema of one checkout of the project. */
export interface Site {
  readonly folder: string;
  /** The process whose children are the backends. */
  readonly postmaster: number;
  /** Makes a database and fills it. */
  build(name: string, size: Size, state?: State): Promise<Building>;
  close(): Promise<void>;
}

export interface Building {
  readonly size: Size;
  url(role: "parking_api" | "parking_owner" | "postgres"): string;
}

/** The checkout's own code makes its cluster and its schema. PostgreSQL keeps its settings: fsync is on. */
export async function openSite(folder: string): Promise<Site> {
  const { startEmbeddedPostgres }: typeof import("../../src/embedded/cluster.ts") = await import(
    join(folder, "src/embedded/cluster.ts")
  );
  await mkdir(join(projectFolder, ".data"), { recursive: true });
  const dataDir = await mkdtemp(join(projectFolder, ".data/bench-"));
  // Also where the benchmark is interrupted: it may hold gigabytes.
  process.once("exit", () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }));
  const postgres = await startEmbeddedPostgres({
    dataDir,
    settings: { max_connections: "200", max_wal_size: "8GB" },
  });
  const postmaster = await withClient(postgres.url("postgres", "postgres"), async (client) => {
    const sql = "select pid from pg_stat_activity where backend_type = 'checkpointer'";
    return parentOf((await client.query(sql)).rows[0].pid) ?? 0;
  });
  return {
    folder,
    postmaster,
    async build(name, size, state = "vacuumed") {
      const building: Building = { size, url: (role) => postgres.url(role, name) };
      const start = performance.now();
      await makeSchema(folder, postgres, name);
      await fill(folder, building, state);
      const seconds = ((performance.now() - start) / 1000).toFixed(0);
      console.log(
        `Filled a ${state} building of ${size.spots} spots in ${seconds} s (${folder})\n`,
      );
      return building;
    },
    async close() {
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function makeSchema(
  folder: string,
  postgres: Parameters<typeof import("../../src/embedded/database.ts").createDatabase>[0],
  name: string,
): Promise<void> {
  const { createDatabase }: typeof import("../../src/embedded/database.ts") = await import(
    join(folder, "src/embedded/database.ts")
  );
  const { runMigrations }: typeof import("../../src/migrations/run.ts") = await import(
    join(folder, "src/migrations/run.ts")
  );
  await createDatabase(postgres, name);
  await runMigrations(postgres.url("parking_owner", name), createLogger("warn"));
}

async function fill(folder: string, { size, url }: Building, state: State): Promise<void> {
  const read = (file: string) => readFile(join(import.meta.dirname, file), "utf8");
  // Another checkout may keep other tables.
  const derived = await readFile(join(folder, "bench/building/derived.sql"), "utf8").catch(
    () => "",
  );
  await withClient(url("postgres"), async (client) => {
    for (const [setting, value] of Object.entries(size)) {
      await client.query("select set_config($1, $2, false)", [`bench.${setting}`, String(value)]);
    }
    // To make an index is to count the rows of its table, which a fresh building has not done.
    if (state === "fresh") await client.query(await read("keep-fresh.sql"));
    else await client.query(await read("drop-indexes.sql"));
    await client.query(await read("fill.sql"));
    if (state === "vacuumed") await client.query(await read("restore-indexes.sql"));
    await client.query(derived);
    if (state === "vacuumed") await client.query("vacuum (analyze)");
    await client.query("checkpoint");
  });
}
