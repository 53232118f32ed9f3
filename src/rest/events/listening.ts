import type { Pool, PoolClient } from "pg";

/** A connection that is asked nothing may be gone without a word. */
const CHECK_MS = 30_000;
const AGAIN_MS = 5_000;

/**
 * Says when there are events. It is a hint and no more: through PgBouncer, or on a connection that is
 * half open, it says nothing.
 */
export function listen(pool: Pool, onEvents: () => void): Disposable {
  let isOver = false;
  let client: PoolClient | undefined;
  let timer: NodeJS.Timeout | undefined;

  function leave(): void {
    client?.off("notification", onEvents);
    client?.release(true);
    client = undefined;
  }

  async function check(): Promise<void> {
    try {
      client ??= await connected();
      if (!isOver) await client.query("listen parking_events");
    } catch {
      leave(); // the poll goes on, and says what is wrong with the database
    }
    if (isOver) return leave();
    timer = setTimeout(check, client ? CHECK_MS : AGAIN_MS).unref();
  }

  async function connected(): Promise<PoolClient> {
    const made = await pool.connect();
    made.on("notification", onEvents);
    made.once("end", () => {
      if (client === made) leave();
    });
    return made;
  }

  void check();
  return {
    [Symbol.dispose]() {
      isOver = true;
      clearTimeout(timer);
      leave();
    },
  };
}
