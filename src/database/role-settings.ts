import { DatabaseError, type Pool } from "pg";
import type { Logger } from "../log/logger.ts";

/** What sql/roles.sql sets for the role that the service logs in as, as PostgreSQL keeps it. */
const SET_BY_ROLES_SQL: readonly string[] = [
  "statement_timeout=10s",
  "lock_timeout=1200ms",
  "idle_in_transaction_session_timeout=15s",
  "transaction_timeout=20s",
  "TimeZone=UTC",
];

const KEPT = `
  select unnest(s.setconfig) as setting
    from pg_catalog.pg_db_role_setting s
    left join pg_catalog.pg_database d on d.oid = s.setdatabase
   where s.setrole = to_regrole(quote_ident(session_user))
     and (s.setdatabase = 0 or d.datname = current_database())`;

/**
 * Says in one line where the role has other settings than sql/roles.sql gives it. A role may change
 * its own for later sessions, so who has its password can make the service fail for good.
 */
export function noticeRoleSettings(pool: Pool, logger: Logger): void {
  let known = "";
  pool.on("connect", async (client) => {
    const reason = await client.query<{ setting: string }>(KEPT).then(
      ({ rows }) => differenceOf(rows.map(({ setting }) => setting)),
      // Where the connection breaks, its user learns it. A time limit can be so short that this fails.
      (error) => (error instanceof DatabaseError ? error.message : known),
    );
    if (reason !== known && reason !== "") {
      logger.warn(
        { reason },
        "the role of the service has other settings than sql/roles.sql gives it",
      );
    }
    known = reason;
  });
}

function differenceOf(settings: readonly string[]): string {
  const lacking = SET_BY_ROLES_SQL.filter((it) => !settings.includes(it));
  const others = settings.filter((it) => !SET_BY_ROLES_SQL.includes(it));
  return [
    ...(lacking.length > 0 ? [`lacks ${lacking.join(", ")}`] : []),
    ...(others.length > 0 ? [`has ${others.join(", ")}`] : []),
  ].join("; ");
}
