import type { Pool } from "pg";

/** New connections may lead to another server. One that is in use is left by its user. */
export function discardIdle(pool: Pool): void {
  for (let { idleCount } = pool; idleCount > 0; idleCount--) {
    pool.connect().then(
      (client) => client.release(true),
      () => {}, // the pool is about to end
    );
  }
}
