import { once } from "node:events";
import type { Server } from "node:http";
import { Server as NetServer } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";

/** Clients that have connected and wait to be accepted: as many as Node lets wait, and for how long. */
const WAITING = { connections: 511, milliseconds: 3_000 } as const;
/** A turn of the event loop in which next to nothing happened. */
const SHORT_TURN_MS = 0.2;
/** For clients that are about to send on a connection that looks idle to us. */
const IDLE_MS = 1_500;
/** From the signal on, for requests under way; what is left of ten seconds is for the database. */
const GRACE_MS = 8_000;

/**
 * Goes on listening until nobody waits to be accepted: the system resets clients that wait at the
 * end. Node accepts one connection in each turn of its event loop, so it ends after a short turn in
 * which nobody came. On a busy machine turns are long, and connections are counted.
 * @returns how many milliseconds it took
 */
export async function acceptWaiting(
  server: Server,
  bounds: Partial<Record<keyof typeof WAITING, number>> = {},
): Promise<number> {
  const { connections, milliseconds } = { ...WAITING, ...bounds };
  let accepted = 0;
  let before = -1;
  const note = (): void => {
    accepted += 1;
  };
  server.on("connection", note);
  const start = performance.now();
  const taken = () => Math.ceil(performance.now() - start);
  await nextTurn(); // the one that began before the signal
  let isShort = false;
  const mayWait = (): boolean => accepted !== before || !isShort;
  while (mayWait() && accepted < connections && taken() < milliseconds) {
    before = accepted;
    const began = performance.now();
    await nextTurn();
    isShort = performance.now() - began < SHORT_TURN_MS;
  }
  server.off("connection", note);
  return taken();
}

/** Takes no new connection and lets requests end, but does not wait for them for ever. */
export async function stopServer(server: Server, taken: number): Promise<void> {
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
  if (await closesWithin(Math.max(0, GRACE_MS - IDLE_MS - taken))) return;
  server.closeAllConnections();
}
