/** What the log says at the start about the database, where its operator may not know it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { TLSSocket } from "node:tls";
import { DatabaseError, type Pool } from "pg";
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

const ROLE_SETTINGS = readFileSync(join(import.meta.dirname, "role-settings.sql"), "utf8");

/**
 * Says in one line where the role has other settings than sql/roles.sql gives it. A role may change
 * its own for later sessions, so who has its password can make the service fail for good.
 */
export function noticeRoleSettings(pool: Pool, logger: Logger): void {
  let known = "";
  pool.on("connect", async (client) => {
    const reason = await client.query<{ difference: string }>(ROLE_SETTINGS).then(
      ({ rows: [row] }) => row?.difference ?? known,
      // Where the connection ends, its user learns it. A time limit can be so short that this fails.
      (error) => (error instanceof DatabaseError && !isEnd(error) ? error.message : known),
    );
    if (reason !== known && reason !== "") {
      const message = "the role of the service has other settings than sql/roles.sql gives it";
      logger.warn({ reason }, message);
    }
    known = reason;
  });
}

/** The server ends the connection, as at a restart. */
const isEnd = ({ code }: DatabaseError): boolean => code?.startsWith("57P") ?? false;

const LOOPBACK = /^(::ffff:)?127\.|^::1$/;

/** Says in one line where what is read and written can be read on its way. */
export function noticePlain(pool: Pool, url: string, logger: Logger): void {
  if (new URL(url).searchParams.get("sslmode") === "disable") return; // somebody decided it
  pool.once("connect", ({ connection, host, port }) => {
    const { stream } = connection;
    const address = "remoteAddress" in stream ? String(stream.remoteAddress) : "";
    if (stream instanceof TLSSocket || LOOPBACK.test(address)) return;
    logger.warn({ host, port }, "the connection to the database is not encrypted");
  });
}
