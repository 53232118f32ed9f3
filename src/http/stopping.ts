import { once } from "node:events";
import type { Server } from "node:http";
import { Server as NetServer } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";

/** For clients that have connected, and wait to be accepted. */
const ACCEPTING_MS = 1_000;
/** For clients that are about to send on a connection that looks idle to us. */
const IDLE_MS = 1_500;
/** For requests under way; what is left of ten seconds is for the database. */
const GRACE_MS = 8_000;

/**
 * Goes on listening until nobody waits to be accepted. A client that waits when it ends is reset by the
 * system, and Node accepts only one connection in each turn of its event loop.
 */
export async function acceptWaiting(server: Server): Promise<void> {
  let isQuiet = false;
  const note = (): void => {
    isQuiet = false;
  };
  server.on("connection", note);
  const end = performance.now() + ACCEPTING_MS;
  await nextTurn(); // the one that began before the signal
  while (!isQuiet && performance.now() < end) {
    isQuiet = true;
    await nextTurn();
  }
  server.off("connection", note);
}

/** Takes no new connection and lets requests end, but does not wait for them for ever. */
export async function stopServer(server: Server): Promise<void> {
  /** Whether the last connection closes within a time. */
  const closesWithin = (milliseconds: number): Promise<boolean> =>
    once(server, "close", { signal: AbortSignal.timeout(milliseconds) }).then(
      () => true,
      () => false,
    );
  const isIdle = closesWithin(IDLE_MS);
  // HTTP's own close() also cuts idle connections, on which a request may be on its way.
  NetServer.prototype.close.call(server);
  if (await isIdle) return;
  server.closeIdleConnections();
  if (await closesWithin(GRACE_MS - IDLE_MS)) return;
  server.closeAllConnections();
}
