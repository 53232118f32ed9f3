import type { Pool, PoolClient } from "pg";
import { clientLeft, overloaded } from "../errors/problem.ts";
import { oncePer } from "../lazy.ts";
import { connect } from "./connection.ts";
import { Pace } from "./limiter.ts";
import { isGivenUp } from "./pool.ts";

/** More connections would each carry less, and wake more processes of PostgreSQL. */
const MOST_SHARED = 3;
/** The others of a pool are for what cannot share one. */
const SHARE_OF_THE_POOL = 1 / 3;
/** A read that takes long holds up those behind it: no more than these. */
const MOST_ON_ONE = 8;
/** And no more than PostgreSQL lately answers in this time. */
const MOST_WORK_MS = 8;
/** One whose read has taken so long gets no more until it has answered, and another takes its part. */
const SLOW_MS = 5;

interface Shared {
  readonly client: PoolClient;
  running: number;
  /** When the read began that PostgreSQL has in hand. */
  since: number;
  isUsable: boolean;
}

interface Waiting {
  readonly since: number;
  readonly take: (shared: Shared) => void;
  readonly fail: (reason: unknown) => void;
}

/** The connections of a pool that reads share. */
export const sharedConnectionsOf = oncePer(shareConnections);

/**
 * Runs a short read on a connection that other reads use at the same time. Those that are ready in
 * one turn of the event loop are written together, and PostgreSQL answers them one after the other:
 * each has a transaction and an error of its own. So it is woken once for all of them.
 *
 * @param use sends one flight at once, that nothing else of the connection depends on
 * @param isBroken whether an error leaves the connection useless
 * @throws Problem 503 where too many wait already, or its turn does not come in time
 */
export async function onSharedConnection<T>(
  pool: Pool,
  isGone: (() => boolean) | undefined,
  use: (client: PoolClient) => Promise<T>,
  isBroken: (error: unknown) => boolean,
): Promise<T> {
  const connections = sharedConnectionsOf(pool);
  const shared = await connections.place();
  if (isGone?.()) {
    connections.leave(shared);
    throw clientLeft();
  }
  try {
    return await use(shared.client);
  } catch (error) {
    if (isBroken(error)) shared.isUsable = false;
    throw error;
  } finally {
    connections.leave(shared);
  }
}

function shareConnections(pool: Pool) {
  const { max, connectionTimeoutMillis: patience = 0 } = pool.options;
  const most = Math.min(MOST_SHARED, Math.ceil(max * SHARE_OF_THE_POOL));
  const open = new Set<Shared>();
  const waiting: Waiting[] = [];
  const pace = new Pace(0);
  let opening = 0;
  /** When the last one could not be opened. */
  let refusedAt = Number.NEGATIVE_INFINITY;
  let isDue = false;
  let timer: NodeJS.Timeout | undefined;

  /** After all that the event loop has in hand, so that what is ready then goes together. */
  function schedule(): void {
    if (isDue) return;
    isDue = true;
    setImmediate(distribute);
  }

  function distribute(): void {
    isDue = false;
    const now = performance.now();
    failThoseSince(now - patience, () => overloaded("the reads before it took too long"));
    const mostOnOne = atOnce();
    let quick = opening;
    for (const shared of open) {
      if (!isSlow(shared, now)) quick += 1;
      if (waiting.length > 0 && takesMore(shared, mostOnOne, now)) fill(shared, mostOnOne, now);
      else if (shared.running === 0) close(shared);
    }
    // A pool may refuse within this turn: tried again at once, the event loop would never go on.
    const mayOpen = now - refusedAt >= SLOW_MS;
    for (; mayOpen && waiting.length > mostOnOne * opening && quick < most; opening++, quick++) {
      if (open.size + opening === max) break;
      void openOne();
    }
    clearTimeout(timer);
    // By then a connection may have become slow or may open, or somebody may have waited too long.
    if (waiting.length > 0) timer = setTimeout(schedule, SLOW_MS);
  }

  function failThoseSince(moment: number, reason: () => unknown): void {
    while (waiting[0] && waiting[0].since <= moment) waiting.shift()?.fail(reason());
  }

  /** How many reads go down one connection: where each takes long, they go down several. */
  function atOnce(): number {
    const inTime = Math.floor(MOST_WORK_MS / pace.milliseconds);
    return Math.max(1, Math.min(MOST_ON_ONE, inTime));
  }

  function fill(shared: Shared, mostOnOne: number, now: number): void {
    const { stream } = shared.client.connection;
    if (shared.running === 0) shared.since = now;
    stream.cork();
    for (; shared.running < mostOnOne && waiting.length > 0; shared.running++)
      waiting.shift()?.take(shared);
    queueMicrotask(() => stream.uncork()); // each that took a place writes in the microtask before
  }

  async function openOne(): Promise<void> {
    const startedAt = performance.now();
    try {
      const client = await connect(pool);
      open.add({ client, running: 0, since: 0, isUsable: true });
    } catch (error) {
      refusedAt = performance.now();
      // For those who came later, or wait for a slow one, another is tried when the timer ends.
      if (open.size === 0) failThoseSince(startedAt, () => error);
      return;
    } finally {
      opening -= 1;
    }
    distribute();
  }

  function close(shared: Shared): void {
    open.delete(shared);
    shared.client.release(!shared.isUsable);
  }

  /** Why the next read would be refused, if it would. */
  function overload(): string | undefined {
    const mostWaiting = pace.mostWaiting(most, patience, most * MOST_ON_ONE);
    return waiting.length >= mostWaiting ? "too many reads wait for a connection" : undefined;
  }

  return {
    get waitingCount() {
      return waiting.length;
    },
    overload,
    place(): Promise<Shared> {
      const reason = overload();
      if (reason !== undefined) throw overloaded(reason);
      const { promise, resolve, reject } = Promise.withResolvers<Shared>();
      waiting.push({ since: performance.now(), take: resolve, fail: reject });
      schedule();
      return promise;
    },
    leave(shared: Shared): void {
      const now = performance.now();
      pace.note(now - shared.since);
      shared.since = now;
      shared.running -= 1;
      schedule();
    },
  };
}

const isSlow = ({ running, since }: Shared, now: number): boolean =>
  running > 0 && now - since >= SLOW_MS;

const takesMore = (shared: Shared, mostOnOne: number, now: number): boolean =>
  shared.isUsable &&
  !isGivenUp(shared.client) &&
  shared.running < mostOnOne &&
  !isSlow(shared, now);
