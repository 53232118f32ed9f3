import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError } from "../errors/operator-error.ts";
import type { Logger } from "../log/logger.ts";
import { HERE, type Place, type Program, type Programs } from "./programs.ts";

export const HOST = "127.0.0.1";

export interface ServerOptions {
  /** More settings as in postgresql.conf, such as `{ fsync: "off" }` for tests. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Gets what happens to the server later: that it takes long, or ended and is started again. */
  readonly logger?: Logger;
}

/** How often the first start is tried. */
const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Starts the server of a folder, and starts it again at the same port whenever it ends. The pause
 * doubles with each start that fails and each server that ends soon.
 * @throws OperatorError if the first start fails several times. The cause may pass, as when backends
 *   of a killed server still have its shared memory.
 */
export async function superviseServer(
  programs: Programs,
  place: Place,
  { settings, logger }: ServerOptions,
): Promise<AsyncDisposable & { readonly port: number }> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const { log } = place;
  const { promise: up, resolve: isUpAt } = Promise.withResolvers<number>();
  let server: Program | undefined;

  async function supervise(): Promise<never> {
    let port: number | undefined;
    let pauseMs = FIRST_PAUSE_MS;
    for (let attempt = 1; ; attempt++) {
      let upAt = Number.POSITIVE_INFINITY;
      try {
        const chosen = port ?? (await freePort());
        server = await programs.start("postgres", argumentsOf(chosen, settings), place);
        if (!(await comesUp(server, place.folder, signal, logger)))
          throw await failureOf("PostgreSQL did not start", server, place);
        if (port) logger?.info("the embedded PostgreSQL runs again");
        port = chosen;
        isUpAt(port);
        upAt = performance.now();
        const exitCode = await server.ended;
        signal.throwIfAborted();
        logger?.error({ exitCode, log }, "the embedded PostgreSQL ended and is started again");
      } catch (error) {
        if (signal.aborted || (!port && attempt === ATTEMPTS)) throw error;
        if (port) logger?.error({ err: error }, "the embedded PostgreSQL cannot be started");
      }
      if (performance.now() - upAt > pauseMs) pauseMs = FIRST_PAUSE_MS;
      await sleep(pauseMs, undefined, { signal });
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    }
  }

  const supervised = supervise();
  const port = await Promise.race([up, supervised]);
  const ended = supervised.catch(() => {}); // it only fails because of the stop
  return {
    port,
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await server?.[Symbol.asyncDispose]();
      await ended;
    },
  };
}

/** Ends a program that failed, and says why it did. */
export async function failureOf(what: string, program: Program, { log }: Place) {
  await program[Symbol.asyncDispose]();
  const why = (await program.error()) ?? "it wrote no reason";
  return new OperatorError(`${what}: ${why}. More is in ${log}`);
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

/**
 * Whether the server takes connections before it ends. While it says in its folder that it starts,
 * it may take any time: to stop a recovery is to begin it again. But some versions say so for ever
 * when a start has failed; then their log has an error.
 */
export async function comesUp(
  server: Omit<Program, keyof AsyncDisposable>,
  folder: string,
  signal: AbortSignal,
  logger?: Logger,
  patienceMs = 30_000,
): Promise<boolean> {
  let askedAt = performance.now();
  while (!signal.aborted) {
    const { pid, state } = await readPostmaster(folder);
    if (pid === server.pid && (state === "ready" || state === "standby")) return true;
    if ((await Promise.race([server.ended, sleep(POLL_MS, "time")])) !== "time") return false;
    if (performance.now() - askedAt < patienceMs) continue;
    if (pid !== server.pid || (await server.error()) !== undefined) return false;
    logger?.info("the embedded PostgreSQL is still starting: it may recover from a crash");
    askedAt = performance.now();
  }
  return false;
}

const POLL_MS = 20;

/**
 * What a server says of itself in its folder:
 * https://github.com/postgres/postgres/blob/REL_18_STABLE/src/include/utils/pidfile.h
 */
export async function readPostmaster(folder: string) {
  const text = await readFile(join(folder, "postmaster.pid"), "utf8").catch(() => "");
  const [pid, , , port, , , , state] = text.split("\n");
  return { pid: Number(pid), port: Number(port), state: state?.trim() };
}
