import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError } from "../errors/operator-error.ts";
import type { Logger } from "../log/logger.ts";
import { HERE, type Place, type Program, type Programs } from "./binaries.ts";

export const HOST = "127.0.0.1";

export interface ServerOptions {
  /** More settings as in postgresql.conf, such as `{ fsync: "off" }` for tests. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Where it is said that the server takes long, or ended and was started again. */
  readonly logger?: Logger;
}

export interface KeptServer extends AsyncDisposable {
  readonly port: number;
}

const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Starts the server of a folder, and again at the same port whenever it ends, until it is disposed of.
 * @throws OperatorError where it does not start
 */
export async function keepServer(
  programs: Programs,
  place: Place,
  { settings, logger }: ServerOptions,
): Promise<KeptServer> {
  const stopping = new AbortController();
  const { signal } = stopping;

  /** What makes it fail may pass, as when backends of a killed server still hold its shared memory. */
  async function start(again?: number): Promise<{ server: Program; port: number }> {
    let pause = FIRST_PAUSE_MS;
    for (let attempt = 1; ; attempt++, pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      const port = again ?? (await freePort());
      let error: unknown;
      try {
        const server = await programs.start("postgres", argumentsOf(port, settings), place);
        if (await comesUp(server, { ...place, logger, signal })) return { server, port };
        error = await failureOf("PostgreSQL did not start", server, place);
      } catch (cause) {
        if (again === undefined) throw cause;
        error = cause; // such as too many open files: the service goes on trying
      }
      if (signal.aborted || (again === undefined && attempt === ATTEMPTS)) throw error;
      if (again) logger?.error({ err: error }, "the embedded PostgreSQL cannot be started");
      await sleep(pause, undefined, { signal });
    }
  }

  let { server, port } = await start();
  async function keep(): Promise<void> {
    for (;;) {
      const exitCode = await server.ended;
      signal.throwIfAborted();
      logger?.error({ exitCode }, "the embedded PostgreSQL ended and is started again");
      await sleep(FIRST_PAUSE_MS, undefined, { signal });
      ({ server } = await start(port));
      logger?.info("the embedded PostgreSQL runs again");
    }
  }
  const kept = keep().catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  return {
    port,
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await server[Symbol.asyncDispose]();
      await kept;
      await server[Symbol.asyncDispose](); // one that came up meanwhile
    },
  };
}

/** Ends a program that failed, and says why it did. */
export async function failureOf(what: string, program: Program, { log }: Place): Promise<unknown> {
  try {
    await program[Symbol.asyncDispose]();
    const why = (await program.error()) ?? "it wrote no reason";
    return new OperatorError(`${what}: ${why}. More is in ${log}`);
  } catch (cause) {
    return cause; // it could not be spawned
  }
}

async function freePort(): Promise<number> {
  await using server = createServer().listen(0, HOST);
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

function argumentsOf(port: number, settings: ServerOptions["settings"]): string[] {
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

export interface Patience {
  /** That of the server's files. */
  readonly folder: string;
  /** Where it is said that the server takes longer than that. */
  readonly logger?: Logger | undefined;
  /** Nobody waits any more. */
  readonly signal: AbortSignal;
  /** How long a server may take to say that it starts. */
  readonly patienceMs?: number;
}

/**
 * Whether the server takes connections before it ends. While it says that it starts, it may have all
 * the time that it needs: to stop a recovery is to begin it again. But some versions say so for ever
 * when a start has failed; then their log has an error.
 */
export async function comesUp(
  server: Omit<Program, keyof AsyncDisposable>,
  { folder, logger, signal, patienceMs = PATIENCE_MS }: Patience,
): Promise<boolean> {
  const ended = server.ended.catch(() => {}); // who disposes of it learns why it could not be spawned
  let askedAt = performance.now();
  while (!signal.aborted) {
    const { pid, state } = await readPostmaster(folder);
    if (pid === server.pid && (state === "ready" || state === "standby")) return true;
    if ((await Promise.race([ended, sleep(POLL_MS, "time")])) !== "time") return false;
    if (performance.now() - askedAt < patienceMs) continue;
    if (pid !== server.pid || (await server.error()) !== undefined) return false;
    logger?.info("the embedded PostgreSQL is still starting: it may recover from a crash");
    askedAt = performance.now();
  }
  return false;
}

const PATIENCE_MS = 30_000;
const POLL_MS = 20;

/** What a server says of itself in its folder: https://github.com/postgres/postgres/blob/REL_18_STABLE/src/include/utils/pidfile.h */
export async function readPostmaster(folder: string) {
  const text = await readFile(join(folder, "postmaster.pid"), "utf8").catch(() => "");
  const [pid, , , port, , , , state] = text.split("\n");
  return { pid: Number(pid), port: Number(port), state: state?.trim() };
}
