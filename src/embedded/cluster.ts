/**
 * A real PostgreSQL where there is none, so that `npm start` and the tests run on a bare machine.
 *
 * DATA_DIR holds `cluster/data` (PostgreSQL's own), `cluster/password`, `postgres.log`, and of the
 * process that uses the folder `instance.lock` and `instance.json` (its number, the server's port).
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError } from "../errors/operator-error.ts";
import type { Logger } from "../log/logger.ts";
import { findPrograms, HERE, type Program, type Programs } from "./binaries.ts";
import { comesUp } from "./coming-up.ts";
import { checkCluster, holdsCluster, prepareFolder, removeUnfinished } from "./folder.ts";
import { claim, isClaimed, readInstance, recordInstance } from "./instance.ts";
import { passwordOf, SUPERUSER } from "./passwords.ts";
import { keepRunning } from "./restart.ts";

export interface EmbeddedOptions {
  readonly dataDir: string;
  /** More settings as in postgresql.conf, such as `{ fsync: "off" }` for tests. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Where it is said that the server takes long, or ended and was started again. */
  readonly logger?: Logger;
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

const HOST = "127.0.0.1";
const START_ATTEMPTS = 10;
const START_TIMEOUT_MS = 30_000;

/** Starts the cluster in `dataDir`, which is made there the first time. */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const folder = resolve(options.dataDir);
  await prepareFolder(folder);

  await using held = new AsyncDisposableStack();
  held.use(claim(folder));
  recordInstance(folder, { pid: process.pid });
  const programs = await findPrograms(join(folder, "cluster"), held);
  await ensureCluster(folder, programs);
  const start = (port?: number, signal?: AbortSignal) =>
    startServer(folder, programs, options, port, signal);
  const { server, connection } = await start();
  const startAgain = async (signal: AbortSignal) => (await start(connection.port, signal)).server;
  held.use(keepRunning(server, startAgain, options.logger));
  recordInstance(folder, { pid: process.pid, port: connection.port });

  const everything = held.move();
  running.add(everything);
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopped ??= everything.disposeAsync().finally(() => running.delete(everything));
    return stopped;
  };
  return { ...connection, stop };
}

/** Keeps the locks of running servers from the garbage collector, whatever the callers do with us. */
const running = new Set<AsyncDisposableStack>();

/** The cluster in `dataDir` if a running service, usually another process, has started it. */
export async function findRunningPostgres(dataDir: string): Promise<EmbeddedPostgres | undefined> {
  const folder = resolve(dataDir);
  const port = isClaimed(folder) ? readInstance(folder).port : undefined;
  if (port === undefined) return undefined;
  return { ...(await connectionTo(folder, port)), stop: async () => {} };
}

/** Whether `dataDir` holds a cluster, running or not. */
export const hasCluster = (dataDir: string): boolean =>
  existsSync(join(resolve(dataDir), "cluster"));

type Connection = Omit<EmbeddedPostgres, "stop">;

async function connectionTo(folder: string, port: number): Promise<Connection> {
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
  if (await holdsCluster(folder)) {
    await checkCluster(folder, programs.major);
    if ((await stat(cluster)).uid === 0) await programs.handOver(cluster); // root copied it here
    return;
  }
  const unfinished = await removeUnfinished(folder);
  await mkdir(join(unfinished, "data"), { recursive: true, mode: 0o700 });
  const password = randomBytes(24).toString("base64url");
  await writeFile(join(unfinished, "password"), password, { mode: 0o600, flush: true });
  await programs.handOver(unfinished);

  const log = await logOf(folder);
  const place = { folder: join(unfinished, "data"), log: log.file };
  await using initdb = await programs.start("initdb", INITDB_ARGUMENTS, place);
  if ((await initdb.ended) !== 0) throw await failure("initdb failed", log);
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

interface Started {
  readonly server: Program;
  readonly connection: Connection;
}

/**
 * Starts the server. Two causes of failure pass by themselves and are worth another attempt: the
 * port was taken just before us, or backends of a killed server still hold its shared memory.
 */
async function startServer(
  folder: string,
  programs: Programs,
  { settings, logger }: EmbeddedOptions,
  port?: number,
  signal?: AbortSignal,
): Promise<Started> {
  const log = await logOf(folder);
  const place = { folder: join(folder, "cluster/data"), log: log.file };
  // Not by the machine's clock, which may be set at boot.
  const deadline = performance.now() + START_TIMEOUT_MS;
  for (let attempt = 1; attempt <= START_ATTEMPTS && performance.now() < deadline; attempt++) {
    const connection = await connectionTo(folder, port ?? (await freePort()));
    const args = serverArguments(connection.port, settings);
    const ofAttempt = await logOf(folder);
    const hasFailed = async () => (await errorsIn(ofAttempt)).length > 0;
    const patience = { silenceMs: START_TIMEOUT_MS, hasFailed, logger, signal };
    const server = await programs.start("postgres", args, place);
    const url = connection.url(SUPERUSER, "postgres");
    if (await comesUp(server, url, patience)) return { server, connection };
    await server[Symbol.asyncDispose]();
    if (signal?.aborted) break;
    await sleep(200);
  }
  throw await failure("PostgreSQL did not start", log);
}

function serverArguments(port: number, settings: EmbeddedOptions["settings"]): string[] {
  const all = {
    listen_addresses: HOST,
    port,
    unix_socket_directories: "",
    timezone: "UTC",
    log_timezone: "UTC",
    lc_messages: "C",
    ...settings,
  };
  return ["-D", HERE, ...Object.entries(all).map(([name, value]) => `--${name}=${value}`)];
}

async function freePort(): Promise<number> {
  await using server = createServer().listen(0, HOST);
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

interface Log {
  readonly file: string;
  /** Where that begins which is written from now on. */
  readonly start: number;
}

async function logOf(folder: string): Promise<Log> {
  const file = join(folder, "postgres.log");
  return { file, start: existsSync(file) ? (await stat(file)).size : 0 };
}

async function linesIn({ file, start }: Log): Promise<readonly string[]> {
  return (await readFile(file)).subarray(start).toString().trimEnd().split("\n");
}

async function errorsIn(log: Log): Promise<readonly string[]> {
  const lines = await linesIn(log);
  return lines.filter(
    (line) => /(FATAL|PANIC|error): /.test(line) && !line.includes("the database system is "),
  );
}

/** The first error in the log is the cause; others follow from it. */
async function failure(what: string, log: Log): Promise<Error> {
  const line = (await errorsIn(log))[0] ?? (await linesIn(log)).at(-1);
  const cause = line?.replace(/^.*(FATAL|PANIC|error): +/, "");
  return new OperatorError(`${what}: ${cause || "it wrote no reason"}. More is in ${log.file}`);
}
