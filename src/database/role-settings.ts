import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseError, type Pool } from "pg";
import type { Logger } from "../log/logger.ts";

const QUESTION = readFileSync(join(import.meta.dirname, "role-settings.sql"), "utf8");

/**
 * Says in one line where the role has other settings than sql/roles.sql gives it. A role may change
 * its own for later sessions, so who has its password can make the service fail for good.
 */
export function noticeRoleSettings(pool: Pool, logger: Logger): void {
  let known = "";
  pool.on("connect", async (client) => {
    const reason = await client.query<{ difference: string }>(QUESTION).then(
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
