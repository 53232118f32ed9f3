import type { Pool } from "pg";
import { OperatorError } from "../errors/operator-error.ts";
import { argumentNames } from "./operation.ts";
import type { Route } from "./route.ts";

const OLDEST_SERVER = 18;

/** What each operation does, in one sentence: the comment of its SQL function, by its name. */
export type Summaries = ReadonlyMap<string, string>;

interface OperationRow {
  readonly name: string;
  readonly arguments: readonly string[] | null;
  readonly comment: string | null;
}

/**
 * Refuses to serve from a database that cannot hold the rules, or lacks an operation.
 * @throws OperatorError that says what to do
 */
export async function checkDatabase(pool: Pool, routes: readonly Route[]): Promise<Summaries> {
  const { rows } = await pool.query<{ version: string }>(
    "select current_setting('server_version') as version",
  );
  const version = rows[0]?.version ?? "unknown";
  if (!(Number.parseInt(version, 10) >= OLDEST_SERVER)) {
    throw new OperatorError(
      `PostgreSQL ${OLDEST_SERVER} or later is needed; DATABASE_URL runs ${version}`,
    );
  }
  await checkLanguage(pool);
  const operations = await readOperations(pool);
  const missing = routes.filter((route) => !isThere(route, operations));
  if (missing.length > 0) {
    const names = missing.map((route) => `api.${route.call}(${argumentNames(route).join(", ")})`);
    throw new OperatorError(`The database lacks ${names.join(", ")}: run npm run migrate`);
  }
  return summariesOf(operations);
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

/** The summaries alone, for a database that was checked already. */
export const readSummaries = async (pool: Pool): Promise<Summaries> =>
  summariesOf(await readOperations(pool));

/** The operations that this role may call. */
async function readOperations(pool: Pool): Promise<readonly OperationRow[]> {
  const { rows } = await pool.query<OperationRow>(`
    select p.proname as name, p.proargnames as arguments,
           obj_description(p.oid, 'pg_proc') as comment
      from pg_catalog.pg_proc p
      join pg_catalog.pg_namespace n on n.oid = p.pronamespace
     where n.nspname = 'api'
       and has_schema_privilege(n.oid, 'usage')
       and has_function_privilege(p.oid, 'execute')`);
  return rows;
}

const isThere = (route: Route, operations: readonly OperationRow[]): boolean =>
  operations.some(
    ({ name, arguments: names }) =>
      name === route.call &&
      (names ?? []).toSorted().join() === argumentNames(route).toSorted().join(),
  );

const summariesOf = (operations: readonly OperationRow[]): Summaries =>
  new Map(operations.map(({ name, comment }) => [name, comment ?? ""]));
