import type { Pool } from "pg";
import { type OperationRow, readOperations } from "../contract/described.ts";
import type { Route } from "../contract/route.ts";
import { OperatorError } from "../errors/operator-error.ts";
import { readingsOf } from "./outcome.ts";
import { moment } from "./rendering.ts";

const OLDEST_SERVER = 18;

/**
 * Refuses to serve from a database that cannot hold the rules, or lacks an operation.
 * @throws OperatorError that says what to do
 */
export async function checkDatabase(pool: Pool, routes: readonly Route[]): Promise<void> {
  const { rows } = await pool.query<{ version: string }>(
    "select current_setting('server_version') as version",
  );
  const version = rows[0]?.version ?? "unknown";
  if (!(Number.parseInt(version, 10) >= OLDEST_SERVER)) {
    throw new OperatorError(
      `PostgreSQL ${OLDEST_SERVER} or later is needed; DATABASE_URL runs ${version}`,
    );
  }
  await checkRole(pool);
  await checkLanguage(pool);
  await checkTimes(pool);
  const operations = await readOperations(pool);
  const missing = routes.flatMap((route) => missingOf(route, operations));
  if (missing.length > 0)
    throw new OperatorError(`The database lacks ${missing.join(", ")}: run npm run migrate`);
}

/** Owners and superusers see every row: as one of them, the service would show all to everybody. */
async function checkRole(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ role: string }>(
    `select current_user as role
       from pg_catalog.pg_class
      where relnamespace = to_regnamespace('parking') and relrowsecurity
     having not bool_and(row_security_active(oid))`,
  );
  const [exempt] = rows;
  if (!exempt) return;
  throw new OperatorError(
    `DATABASE_URL: ${exempt.role} is not bound by row-level security; log in as parking_api`,
  );
}

/** The name of a policy stands only in the message of PostgreSQL (errors/explain.ts). */
async function checkLanguage(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ message: string; language: string }>(
    `select message, current_setting('lc_messages') as language
       from pg_input_error_info('x', 'integer')`,
  );
  const [sample] = rows;
  if (sample?.message.startsWith("invalid input syntax")) return;
  throw new OperatorError(
    `PostgreSQL must write its messages in English, for the names of rules are read from them: set lc_messages to C (it is ${sample?.language})`,
  );
}

/** @throws OperatorError where the times of the answers would be unreadable */
async function checkTimes(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ sample: string }>(
    "select now()::timestamptz(3)::text as sample",
  );
  try {
    moment(rows[0]?.sample ?? "");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new OperatorError(`${reason}: set DateStyle to ISO for parking_api`, { cause });
  }
}

/** The functions that a route calls and the database lacks, and the columns that they do not return. */
function missingOf(route: Route, operations: readonly OperationRow[]): readonly string[] {
  return readingsOf(route).flatMap(({ call, arguments: names, columns }) => {
    const found = operations.find(
      (it) => it.name === call && it.arguments.toSorted().join() === names.toSorted().join(),
    );
    if (!found) return [`api.${call}(${names.join(", ")})`];
    return columns
      .filter((column) => !found.columns.includes(column))
      .map((column) => `the column ${column} of api.${call}`);
  });
}
