import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Client } from "pg";
import { withClient } from "../../src/database/client.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../src/embedded/cluster.ts";
import { until } from "./waiting.ts";

const run = promisify(execFile);

/** A PostgreSQL of its own, in a temporary folder, that a test may kill. */
export interface Server {
  readonly postgres: EmbeddedPostgres;
  readonly folder: string;
  /** Kills it at once, as a machine that loses its power. It is not started again. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** A server that repeats what another one does, and answers what reads. */
export interface Standby extends Server {
  /** Makes it a primary. */
  promote(): Promise<void>;
}

/** Its data need not survive a crash of the machine, but must survive one of the server. */
const settings = { fsync: "off", max_connections: "60", wal_keep_size: "512MB" };

export async function startPrimary(
  more: Readonly<Record<string, string>> = {},
  dataDir?: string,
): Promise<Server> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), "parking-server-")));
  const postgres = await startEmbeddedPostgres({
    dataDir: folder,
    settings: { ...settings, ...more },
  });
  const stop = async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
  const kill = async () => {
    const [pid = ""] = (await readFile(join(folder, DATA, "postmaster.pid"), "utf8")).split("\n");
    const { stdout } = await run("pgrep", ["--parent", pid]);
    // The server first, or it would start its processes anew.
    for (const it of [pid, ...stdout.trim().split("\n")]) killIfThere(Number(it));
    await postgres.stop();
  };
  return { postgres, folder, kill, stop };
}

const DATA = "cluster/data";

function killIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

/**
 * A copy of a running primary that streams from it. The packages have no pg_basebackup: the files
 * are copied between pg_backup_start and pg_backup_stop, as the manual describes (25.3.4).
 */
export async function startStandby(primary: Server): Promise<Standby> {
  const folder = await mkdtemp(join(tmpdir(), "parking-standby-"));
  await withClient(superuserOf(primary), (client) => copyBase(client, primary.folder, folder));
  const { port, password } = primary.postgres;
  const primary_conninfo = `host=127.0.0.1 port=${port} user=postgres password=${password} application_name=standby`;
  const server = await startPrimary({ primary_conninfo }, folder);
  await withClient(superuserOf(primary), (client) =>
    until("a standby that streams", async () => {
      const streaming = "select from pg_stat_replication where state = 'streaming'";
      return (await client.query(streaming)).rowCount === 1;
    }),
  );
  return {
    ...server,
    promote: () =>
      withClient(superuserOf(server), async (client) => {
        await client.query("select pg_promote()");
      }),
  };
}

async function copyBase(client: Client, from: string, to: string): Promise<void> {
  await client.query("select pg_backup_start('standby', fast => true)");
  await cp(join(from, "cluster"), join(to, "cluster"), {
    recursive: true,
    filter: (path) => !LEFT_OUT.test(path),
  });
  const { rows } = await client.query(
    "select labelfile from pg_backup_stop(wait_for_archive => false)",
  );
  await writeFile(join(to, DATA, "backup_label"), rows[0].labelfile);
  await writeFile(join(to, DATA, "standby.signal"), "");
}

/** What belongs to the running server. The log of changes comes with the stream. */
const LEFT_OUT = /\/(postmaster\.(pid|opts)|pg_wal\/.*[0-9A-F]{24}.*|pg_internal\.init)$/;

const superuserOf = ({ postgres }: Server): string => postgres.url("postgres", "postgres");
