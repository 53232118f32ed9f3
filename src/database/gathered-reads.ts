import { setTimeout as sleep } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";
import { clientLeft, overloaded } from "../errors/problem.ts";
import { oncePer } from "../lazy.ts";
import type { Waiter } from "../overload/bound.ts";
import { boundsOf, hasConnection, MOST_TOGETHER } from "./pool.ts";

/** No more go together than PostgreSQL lately answers in this time. */
const MOST_WORK_MS = 8;
/** When a group has taken this long, another one may go beside it. */
const SLOW_MS = 5;

/** Reads that go down one connection together. */
interface Group {
  readonly client: PoolClient;
  /** One of them has ended. */
  readonly leave: () => void;
}

interface Member extends Waiter {
  readonly since: number;
  readonly take: (group: Group) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs a short read together with others. Those that are ready in one turn of the event loop, or wait
 * for a connection, are written together, and PostgreSQL answers them one after the other: it is woken
 * once for all of them, and each has a transaction and an error of its own.
 *
 * @param use sends one flight at once, that nothing else of the connection depends on
 * @throws Problem 503 where too many wait already, or its turn does not come in time
 */
export async function gather<T>(
  pool: Pool,
  use: (client: PoolClient) => Promise<T>,
  isGone?: () => boolean,
): Promise<T> {
  const { client, leave } = await gatheringOf(pool).join();
  try {
    if (isGone?.()) throw clientLeft();
    return await use(client);
  } finally {
    leave();
  }
}

const gatheringOf = oncePer((pool: Pool) => {
  const { bound, reads, all } = boundsOf(pool);
  let forming: Member[] | undefined;
  let isDue = false;
  /** How long a read takes on average. */
  let milliseconds = 0;

  const join = (): Promise<Group> =>
    new Promise((take, reject) => {
      const begin = () => {
        if (forming) forming.push(member);
        else form(member);
      };
      const fail = (reason = "") => reject(overloaded(reason));
      const since = performance.now();
      const member: Member = { lines: [reads(), all()], since, begin, fail, take, reject };
      bound.enter(member, false);
      proceedSoon();
    });

  /** At the end of the turn of the event loop: all that is ready then goes together. */
  function proceedSoon(): void {
    if (isDue) return;
    isDue = true;
    setImmediate(() => {
      isDue = false;
      bound.proceed();
    });
  }

  function form(first: Member): void {
    forming = [first];
    const inTime = Math.floor(MOST_WORK_MS / milliseconds);
    bound.takeAlong(reads(), Math.max(1, Math.min(MOST_TOGETHER, inTime)) - 1);
    void send(forming);
    forming = undefined;
  }

  async function send(members: readonly Member[]): Promise<void> {
    const lines = [reads(), all()];
    const client = await pool.connect().catch((error: unknown) => {
      // Where PostgreSQL takes no more connections, these go down the others a moment later. Those
      // may be idle by now, or somebody else's.
      for (const member of members)
        hasConnection(pool) ? bound.putBack(member, member.since) : member.reject(error);
      proceedSoon();
    });
    const startedAt = performance.now();
    const slow = setTimeout(() => bound.leave(lines.splice(0, 1), milliseconds), SLOW_MS);
    if (client) {
      await answers(client, members);
      client.release();
      milliseconds += ((performance.now() - startedAt) / members.length - milliseconds) / 20;
    } else await sleep(SLOW_MS);
    clearTimeout(slow);
    bound.leave(lines, performance.now() - startedAt);
  }

  return { join };
});

/** Lets them write together. @returns when the last one has ended */
function answers(client: PoolClient, members: readonly Member[]): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let running = members.length;
  const leave = () => {
    running -= 1;
    if (running === 0) resolve();
  };
  const { stream } = client.connection;
  stream.cork();
  for (const { take } of members) take({ client, leave });
  queueMicrotask(() => stream.uncork()); // each writes in the microtask before
  return promise;
}
