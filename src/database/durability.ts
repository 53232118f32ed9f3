import type { Pool } from "pg";
import type { Logger } from "../log/logger.ts";

/** Says in one line where PostgreSQL acknowledges what it may lose with the power of its machine. */
export async function noticeLosses(pool: Pool, logger: Logger): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `select name
       from pg_catalog.pg_settings
      where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off'
      order by name`,
  );
  if (rows.length === 0) return;
  const reason = rows.map(({ name }) => `${name} is off`).join(", ");
  logger.warn({ reason }, "the database may lose what it acknowledged");
}
