/**
 * A real PostgreSQL where there is none, so that `npm start` and the tests run on a bare machine.
 *
 * DATA_DIR holds `cluster/data` (PostgreSQL's own), `cluster/password`, `postgres.log`, and of the
 * process that uses the folder `instance.lock` and `instance.json` (its number, the server's port).
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { constants, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { access, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { types } from "node:util";
import { Client } from "pg";
import { OperatorError } from "../errors/operator-error.ts";
import type { Logger } from "../log.ts";
import { findPrograms, HERE, type Program, type Programs } from "./binaries.ts";
import { passwordOf, SUPERUSER } from "./passwords.ts";
import { keepRunning } from "./restart.ts";

export interface EmbeddedOptions {
  readonly dataDir: string;
  /** More settings as in postgresql.conf, such as `{ fsync: "off" }` for tests. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Where it is said that the server ended and was started again. */
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
const SQLITE_BUSY = 5;

/** Starts the cluster in `dataDir`, which is made there the first time. */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const folder = resolve(options.dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch(refuseFolder);
  await access(folder, constants.W_OK).catch(refuseFolder);

  await using held = new AsyncDisposableStack();
  held.use(claim(folder));
  recordInstance(folder, { pid: process.pid });
  const programs = await findPrograms(join(folder, "cluster"), held);
  await ensureCluster(folder, programs);
  const { settings, logger } = options;
  const { server, connection } = await startServer(folder, programs, settings, freePort);
  const startAgain = () => startServer(folder, programs, settings, async () => connection.port);
  held.use(keepRunning(server, async () => (await startAgain()).server, logger));
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

function refuseFolder(cause: Error): never {
  throw new OperatorError(`DATA_DIR: ${cause.message}`, { cause });
}

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
  const url = (role: string, database: string) =>
    urlOf(role, passwordOf(role, password), port, database);
  return { url, password, port };
}

function urlOf(role: string, password: string, port: number, database: string): string {
  const url = new URL(`postgres://${HOST}:${port}/${encodeURIComponent(database)}`);
  url.username = role;
  url.password = password;
  url.searchParams.set("sslmode", "disable"); // whatever PGSSLMODE is set to
  return url.href;
}

/** Makes PostgreSQL's folder, unless it is there: in a folder beside it, renamed once complete. */
async function ensureCluster(folder: string, programs: Programs): Promise<void> {
  const cluster = join(folder, "cluster");
  if (existsSync(cluster)) {
    if ((await stat(cluster)).uid === 0) await programs.handOver(cluster); // root copied it here
    return;
  }
  const unfinished = `${cluster}.new`;
  await rm(unfinished, { recursive: true, force: true, maxRetries: 5 });
  await mkdir(join(unfinished, "data"), { recursive: true, mode: 0o700 });
  const password = randomBytes(24).toString("base64url");
  await writeFile(join(unfinished, "password"), password, { mode: 0o600, flush: true });
  await programs.handOver(unfinished);

  const log = logOf(folder);
  const place = { folder: join(unfinished, "data"), log };
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
  settings: EmbeddedOptions["settings"],
  choosePort: () => Promise<number>,
): Promise<Started> {
  const log = logOf(folder);
  const place = { folder: join(folder, "cluster/data"), log };
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (let attempt = 1; attempt <= START_ATTEMPTS && Date.now() < deadline; attempt++) {
    const connection = await connectionTo(folder, await choosePort());
    const args = serverArguments(connection.port, settings);
    const server = await programs.start("postgres", args, place);
    const url = connection.url(SUPERUSER, "postgres");
    if (await comesUp(server, url, deadline)) return { server, connection };
    await server[Symbol.asyncDispose]();
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

/** Whether the server takes connections before it ends or the time is up. */
async function comesUp(server: Program, url: string, deadline: number): Promise<boolean> {
  while (!(await accepts(url))) {
    const ended = server.ended.then(() => true);
    if (await Promise.race([ended, sleep(20, false)])) return false;
    if (Date.now() > deadline) return false;
  }
  return true;
}

async function accepts(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 1000 });
  client.on("error", () => {}); // connect() throws it
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end();
  }
}

async function freePort(): Promise<number> {
  await using server = createServer().listen(0, HOST);
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

async function failure(what: string, log: string): Promise<Error> {
  const lines = (await readFile(log, "utf8")).trimEnd().split("\n");
  return new OperatorError(`${what}. The end of ${log}:\n${lines.slice(-20).join("\n")}`);
}

/**
 * Makes this process the folder's only user until it ends, however it ends. Node has no flock, but
 * SQLite has: the kernel frees an exclusive transaction's lock with the process that holds it, so
 * there is no stale lock to assess and no reused process number to mistake for its owner.
 */
function claim(folder: string): Disposable {
  const lock = new DatabaseSync(lockOf(folder), { timeout: 200 });
  if (permits(lock, "begin exclusive")) return lock;
  lock.close();
  throw new OperatorError(
    `Another instance (process ${readInstance(folder).pid}) is using ${folder}`,
  );
}

function isClaimed(folder: string): boolean {
  if (!existsSync(lockOf(folder))) return false;
  using lock = new DatabaseSync(lockOf(folder), { readOnly: true });
  return !permits(lock, "select * from sqlite_schema");
}

/** Whether the lock lets a statement pass, or another's exclusive transaction forbids it. */
function permits(lock: DatabaseSync, statement: string): boolean {
  try {
    lock.exec(statement);
    return true;
  } catch (error) {
    if (types.isNativeError(error) && "errcode" in error && error.errcode === SQLITE_BUSY) {
      return false;
    }
    throw error;
  }
}

/** The process that claims the folder, and where its server listens once it is up. */
interface Instance {
  readonly pid: number;
  readonly port?: number;
}

/** Renamed into place, for another process may be reading. */
function recordInstance(folder: string, instance: Instance): void {
  const file = instanceOf(folder);
  writeFileSync(`${file}.new`, JSON.stringify(instance), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

function readInstance(folder: string): Instance {
  return JSON.parse(readFileSync(instanceOf(folder), "utf8"));
}

const logOf = (folder: string): string => join(folder, "postgres.log");
const lockOf = (folder: string): string => join(folder, "instance.lock");
const instanceOf = (folder: string): string => join(folder, "instance.json");
