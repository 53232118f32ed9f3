import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import { serviceUnavailable } from "../errors/problem.ts";
import { commit, version } from "../version.ts";
import type { Endpoint, Entry } from "./router.ts";

/** A client that asked this long before a stop is taken for a proxy, which asks again and again. */
const WATCHED_MS = 15_000;
/** Longer than a proxy takes from one question to the next, and to act upon the answer. */
const NOTICE_MS = 2_000;

/** Those who ask for our health. They hear of a stop before it begins. */
export interface Watchers {
  /** Somebody asks. @returns whether we are about to stop */
  ask(): boolean;
  /** Gives them time to ask, if there are any. @returns for how many milliseconds */
  announceStop(): Promise<number>;
}

export function createWatchers(noticeMs = NOTICE_MS): Watchers {
  let askedAt = Number.NEGATIVE_INFINITY;
  let isAnnounced = false;
  return {
    ask() {
      askedAt = performance.now();
      return isAnnounced;
    },
    async announceStop() {
      isAnnounced = true;
      if (performance.now() - askedAt > WATCHED_MS) return 0;
      await sleep(noticeMs);
      return noticeMs;
    },
  };
}

/** /livez answers until the process is about to stop, /readyz while the database takes writes too. */
export function healthRoutes(healthPool: Pool, watchers: Watchers): readonly Entry[] {
  let checking: Promise<void> | undefined;
  const checkOnce = () => {
    checking ??= checkDatabase(healthPool).finally(() => {
      checking = undefined;
    });
    return checking;
  };
  const get = (path: string, answer: Endpoint): Entry => ({
    method: "GET",
    path,
    answer(ctx) {
      if (watchers.ask()) throw serviceUnavailable("stopping");
      return answer(ctx);
    },
  });
  return [
    get("/livez", (ctx) => {
      ctx.body = { status: "ok", version, commit };
    }),
    get("/readyz", async (ctx) => {
      await checkOnce();
      ctx.body = { status: "ok" };
    }),
  ];
}

async function checkDatabase(pool: Pool): Promise<void> {
  let isReadOnly = true;
  try {
    const client = await pool.connect();
    try {
      const { rows } = await client.query<{ readOnly: boolean }>(
        `select current_setting('transaction_read_only')::boolean as "readOnly"`,
      );
      isReadOnly = rows[0]?.readOnly !== false;
    } finally {
      // After a failover, a new connection leads to the server that writes.
      client.release(isReadOnly);
    }
  } catch (cause) {
    throw serviceUnavailable(cause);
  }
  if (isReadOnly) throw serviceUnavailable("the database is read-only");
}
