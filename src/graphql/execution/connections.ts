import type { Pool, PoolClient } from "pg";

/** Connections for operations that read for a while. */
export interface Connections {
  take(): Promise<PoolClient>;
  /** Ends what the connection was taken for. */
  giveBack(client: PoolClient): Promise<void>;
}

/** Half of a pool's connections: however many operations wait for them, REST has the others. */
export function halfOf(pool: Pool): Connections {
  let free = Math.ceil(pool.options.max / 2);
  const waiting: (() => void)[] = [];

  async function enter(): Promise<void> {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  }
  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  }

  return {
    async take() {
      await enter();
      try {
        return await pool.connect();
      } catch (error) {
        leave();
        throw error;
      }
    },
    async giveBack(client) {
      const isOver = await client.query("rollback").then(
        () => true,
        () => false,
      );
      client.release(!isOver);
      leave();
    },
  };
}
