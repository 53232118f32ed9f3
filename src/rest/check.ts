import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Pool } from "pg";
import { type OperationRow, readOperations } from "../contract/described.ts";
import type { Route } from "../contract/route.ts";
import { OperatorError, otherVersion } from "../errors/operator-error.ts";
import { moment } from "./json.ts";
import { calledFunctionsOf } from "./statements.ts";

const SESSION = readFileSync(join(import.meta.dirname, "session.sql"), "utf8");

const OLDEST_SERVER = 18;

/**
 * Refuses to serve from a database that cannot hold the rules, or lacks an operation.
 * @throws OperatorError that says what to do
 */
export async function checkServedDatabase(pool: Pool, routes: readonly Route[]): Promise<void> {
  await checkVersion(pool);
  await checkSession(pool);
  const operations = await readOperations(pool);
  const missing = routes.flatMap((route) => missingOf(route, operations));
  if (missing.length > 0) throw otherVersion(`The database lacks ${missing.join(", ")}`);
}

async function checkVersion(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ server_version: string }>("show server_version");
  const version = rows[0]?.server_version ?? "unknown";
  if (Number.parseInt(version, 10) >= OLDEST_SERVER) return;
  throw new OperatorError(
    `PostgreSQL ${OLDEST_SERVER} or later is needed; DATABASE_URL runs ${version}`,
  );
}

/** What would make the answers of this role wrong. */
async function checkSession(pool: Pool): Promise<void> {
  const { rows } = await pool.query<Session>(SESSION);
  const [session] = rows;
  if (!session) throw new Error("a select without a condition gave no row");
  const { role, isExempt, message, language, time } = session;
  // Owners and superusers see every row: as one of them, the service would show all to everybody.
  if (isExempt)
    throw new OperatorError(
      `DATABASE_URL: ${role} is not bound by row-level security; log in as parking_api`,
    );
  // The name of a policy stands only in the message of PostgreSQL (errors/render.ts).
  if (!message.startsWith("invalid input syntax"))
    throw new OperatorError(
      `PostgreSQL must write its messages in English, for the names of rules are read from them: set lc_messages to C (it is ${language})`,
    );
  try {
    moment(time);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new OperatorError(`${reason}: set DateStyle to ISO for parking_api`, { cause });
  }
}

interface Session {
  readonly role: string;
  readonly isExempt: boolean;
  readonly message: string;
  readonly language: string;
  readonly time: string;
}

/** The functions that a route calls and the database lacks, and the columns that they do not return. */
function missingOf(route: Route, operations: readonly OperationRow[]): readonly string[] {
  return calledFunctionsOf(route).flatMap(({ call, arguments: names, columns }) => {
    const found = operations.find((it) => it.name === call && takes(it, names));
    if (!found) return [`api.${call}(${names.join(", ")})`];
    return columns
      .filter((column) => !found.columns.includes(column))
      .map((column) => `the column ${column} of api.${call}`);
  });
}

/** Calls name their arguments. A newer database may have more, with defaults. */
const takes = ({ arguments: known, required }: OperationRow, names: readonly string[]): boolean =>
  names.every((name) => known.includes(name)) &&
  known.slice(0, required).every((name) => names.includes(name));
