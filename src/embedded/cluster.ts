/**
 * A real PostgreSQL where there is none, so that `npm start` and the tests run on a bare machine.
 *
 * DATA_DIR has `cluster/data` (PostgreSQL's own), `cluster/password`, `postgres.log`, and, of the
 * process that uses the folder, `instance.lock` and `instance.json` (its number).
 */
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { lazy } from "../lazy.ts";
import { hasUsableCluster, prepareFolder, removeUnfinished } from "./folder.ts";
import { claim, isClaimed } from "./instance.ts";
import { passwordOf, SUPERUSER } from "./passwords.ts";
import { findPrograms, HERE, type Programs } from "./programs.ts";
import { failureOf, HOST, readPostmaster, type ServerOptions, superviseServer } from "./server.ts";

export interface EmbeddedOptions extends ServerOptions {
  readonly dataDir: string;
}

export interface EmbeddedPostgres {
  /** A connection URL. It is valid for the superuser and for the roles that createDatabase makes. */
  url(role: string, database: string): string;
  /** The superuser's. */
  readonly password: string;
  readonly port: number;
  /** Stops the server if we started it; resolves when it is gone. Harmless when called twice. */
  stop(): Promise<void>;
}

/** Starts the cluster in `dataDir`, which is made there the first time. */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const folder = resolve(options.dataDir);
  await prepareFolder(folder);

  await using started = new AsyncDisposableStack();
  started.use(claim(folder));
  const programs = await findPrograms(join(folder, "cluster"), started);
  await ensureCluster(folder, programs);
  const { port } = started.use(await superviseServer(programs, placeIn(folder), options));
  const connection = await connectionTo(folder, port);

  // The lock lives as long as somebody may call this.
  const everything = started.move();
  return { ...connection, stop: lazy(() => everything.disposeAsync()) };
}

/** The cluster in `dataDir` if a running service, usually another process, has started it. */
export async function findRunningPostgres(dataDir: string): Promise<EmbeddedPostgres | undefined> {
  const folder = resolve(dataDir);
  if (!isClaimed(folder)) return undefined;
  const { port } = await readPostmaster(placeIn(folder).folder);
  return port ? { ...(await connectionTo(folder, port)), stop: async () => {} } : undefined;
}

/** Whether `dataDir` has a cluster, running or not. */
export const hasCluster = (dataDir: string): boolean =>
  existsSync(join(resolve(dataDir), "cluster"));

const placeIn = (folder: string, cluster = "cluster") => ({
  folder: join(folder, cluster, "data"),
  log: join(folder, "postgres.log"),
});

async function connectionTo(folder: string, port: number): Promise<Omit<EmbeddedPostgres, "stop">> {
  const password = await readFile(join(folder, "cluster/password"), "utf8");
  return {
    password,
    port,
    url(role, database) {
      const url = new URL(`postgres://${HOST}:${port}/${encodeURIComponent(database)}`);
      url.username = role;
      url.password = passwordOf(role, password);
      url.searchParams.set("sslmode", "disable"); // whatever PGSSLMODE is set to
      return url.href;
    },
  };
}

/** Makes PostgreSQL's folder, unless it is there: in a folder beside it, renamed once complete. */
async function ensureCluster(folder: string, programs: Programs): Promise<void> {
  const cluster = join(folder, "cluster");
  if (await hasUsableCluster(cluster, programs.major)) {
    if ((await stat(cluster)).uid === 0) await programs.handOver(cluster); // root copied it here
    return;
  }
  const unfinished = join(folder, "cluster.new");
  await removeUnfinished(unfinished);
  await mkdir(unfinished, { mode: 0o700 });
  const password = randomBytes(24).toString("base64url");
  await writeFile(join(unfinished, "password"), password, { mode: 0o600, flush: true });
  await mkdir(join(unfinished, "data"), { mode: 0o700 });
  await programs.handOver(unfinished);

  const place = placeIn(folder, "cluster.new");
  await using initdb = await programs.start("initdb", INITDB_ARGUMENTS, place);
  if ((await initdb.ended) !== 0) throw await failureOf("initdb failed", initdb, place);
  await rename(unfinished, cluster);
}

const INITDB_ARGUMENTS = [
  `--pgdata=${HERE}`,
  `--username=${SUPERUSER}`,
  "--auth=scram-sha-256",
  "--pwfile=../password",
  "--encoding=UTF8",
  "--locale-provider=builtin",
  "--builtin-locale=C.UTF-8",
  "--locale=C",
];
