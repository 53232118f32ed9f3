import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withClient } from "../../src/database/client.ts";
import { startEmbeddedPostgres } from "../../src/embedded/cluster.ts";
import { createDatabase } from "../../src/embedded/database.ts";
import { findPrograms, HERE, type Program } from "../../src/embedded/programs.ts";
import { sqlWithoutHouse } from "./sql-without-house.ts";
import { until } from "./waiting.ts";

type Role = "parking_api" | "parking_owner" | "postgres";

/** A PostgreSQL of one test's own: it may be killed, stopped and filled up. */
export interface OwnPostgres {
  /** The owner of the cluster's files. */
  readonly folder: string;
  readonly port: number;
  url(role: Role): string;
  rows(sql: string, values?: readonly unknown[]): Promise<readonly Record<string, unknown>[]>;
  /** The processes that run, the first of which is the parent of the others. */
  processes(): Promise<readonly number[]>;
  /** Sends a signal to the first process only, or to all. */
  signal(signal: NodeJS.Signals, which?: "first" | "all"): Promise<void>;
  /** Resolves when the server has ended. */
  ended(): Promise<void>;
  /** What the server has written to its log. */
  log(): Promise<string>;
  /** Ends the server as pg_ctl stop does, where it has not ended by itself. */
  stop(): Promise<void>;
  /** Starts the server, again and again until it takes connections. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** With the database in it and nobody who lives there; it writes to the disk as in production. */
export async function startOwnPostgres(
  settings: Readonly<Record<string, string>> = {},
  environment: Readonly<Record<string, string>> = {},
): Promise<OwnPostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), "parking-own-"));
  const cluster = await startEmbeddedPostgres({ dataDir });
  await createDatabase(cluster, "parking");
  const sql = await sqlWithoutHouse();
  await withClient(cluster.url("parking_owner", "parking"), (owner) => owner.query(sql));
  await cluster.stop();

  const resources = new AsyncDisposableStack();
  const programs = await findPrograms(join(dataDir, "cluster"), resources);
  const folder = join(dataDir, "cluster/data");
  const log = join(dataDir, "postgres.log");
  const { port } = cluster;
  const url: OwnPostgres["url"] = (role) => cluster.url(role, "parking");
  let server: Program | undefined;

  const processes = async (): Promise<readonly number[]> => {
    const first = Number.parseInt(await readFile(join(folder, "postmaster.pid"), "utf8"), 10);
    const children = await readFile(`/proc/${first}/task/${first}/children`, "utf8");
    return [first, ...children.trim().split(" ").map(Number)];
  };
  const accepts = () =>
    withClient(url("postgres"), (client) => client.query("select")).then(
      () => true,
      () => false,
    );
  const startOnce = async (): Promise<boolean> => {
    const all = { listen_addresses: "127.0.0.1", port, unix_socket_directories: "", ...settings };
    const args = ["-D", HERE, ...Object.entries(all).map(([name, value]) => `--${name}=${value}`)];
    server = await programs.start("postgres", args, { folder, log, environment });
    let isOver = false;
    void server.ended.then(() => {
      isOver = true;
    });
    await until("a start or an end", async () => isOver || (await accepts()));
    return !isOver;
  };
  const own: OwnPostgres = {
    folder,
    port,
    url,
    processes,
    rows: (text, values = []) =>
      withClient(url("postgres"), async (client) => {
        client.on("error", () => {}); // a test may end the server meanwhile: the query fails
        return (await client.query(text, [...values])).rows;
      }),
    async signal(signal, which = "first") {
      const [first, ...others] = await processes();
      if (first) process.kill(first, signal);
      if (which === "all") for (const pid of others) process.kill(pid, signal);
    },
    async ended() {
      await server?.ended;
    },
    log: () => readFile(log, "utf8"),
    async stop() {
      await server?.[Symbol.asyncDispose]();
    },
    // One that was killed may leave processes behind, which end within moments.
    start: () => until("PostgreSQL", startOnce),
    async close() {
      await own.stop();
      await resources.disposeAsync();
      await rm(dataDir, { recursive: true });
    },
  };
  await own.start();
  return own;
}
