import { setTimeout as sleep } from "node:timers/promises";
import { Client, DatabaseError } from "pg";
import type { Logger } from "../log/logger.ts";
import type { Program } from "./binaries.ts";

export interface Patience {
  /** For how long a server may say nothing. */
  readonly silenceMs: number;
  /** Whether its log says that the start has failed: some versions do not end then, and refuse for ever. */
  readonly hasFailed: () => Promise<boolean>;
  /** Where it is said that the server takes longer than that. */
  readonly logger?: Logger | undefined;
  /** Nobody waits any more. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Whether the server takes connections before it ends, or says nothing for too long. While it says
 * that it starts, it may have all the time that it needs: to stop a recovery is to begin it again.
 */
export async function comesUp(
  server: Pick<Program, "ended">,
  url: string,
  { silenceMs, hasFailed, logger, signal }: Patience,
): Promise<boolean> {
  // It rejects where it cannot be spawned, as for want of memory. Who disposes of it learns why.
  const ended = server.ended.then(
    () => true,
    () => true,
  );
  let heardAt = performance.now();
  let loggedAt = heardAt;
  let pause = SHORTEST_PAUSE_MS;
  for (;;) {
    const state = await stateOf(url);
    if (state === "up") return true;
    const now = performance.now();
    if (state === "starting") {
      heardAt = now;
      if (now - loggedAt > silenceMs) {
        if (await hasFailed()) return false;
        loggedAt = now;
        logger?.info("the embedded PostgreSQL is still starting: it may recover from a crash");
      }
    }
    if (signal?.aborted || now - heardAt > silenceMs) return false;
    if (await Promise.race([ended, sleep(pause, false)])) return false;
    // Each question is two lines in its log.
    pause = Math.min(pause * 1.1, LONGEST_PAUSE_MS);
  }
}

const SHORTEST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 1_000;

/** What a server that starts, or recovers, says of itself. */
const CANNOT_CONNECT_NOW = "57P03";

async function stateOf(url: string): Promise<"up" | "starting" | "silent"> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 1000 });
  client.on("error", () => {}); // connect() throws it
  try {
    await client.connect();
    return "up";
  } catch (error) {
    const isStarting = error instanceof DatabaseError && error.code === CANNOT_CONNECT_NOW;
    return isStarting ? "starting" : "silent";
  } finally {
    await client.end();
  }
}
