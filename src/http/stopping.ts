import { once } from "node:events";
import type { Server } from "node:http";
import { Server as NetServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** For clients that are about to send on a connection that looks idle to us. */
const IDLE_MS = 1_500;
/** For requests under way. */
const GRACE_MS = 10_000;

/** Takes no new connection and lets requests end, but does not wait for them for ever. */
export async function stopServer(server: Server): Promise<void> {
  const closed = once(server, "close");
  // HTTP's own close() also cuts idle connections, on which a request may be on its way.
  NetServer.prototype.close.call(server);
  if (await endsWithin(IDLE_MS, closed)) return;
  server.closeIdleConnections();
  if (await endsWithin(GRACE_MS - IDLE_MS, closed)) return;
  server.closeAllConnections();
}

async function endsWithin(milliseconds: number, ended: Promise<unknown>): Promise<boolean> {
  const patience = new AbortController();
  const timeout = sleep(milliseconds, false, { signal: patience.signal }).catch(() => true);
  const isOver = await Promise.race([ended.then(() => true), timeout]);
  patience.abort();
  return isOver;
}
