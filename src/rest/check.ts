import type { Pool } from "pg";
import { OperatorError } from "../errors/operator-error.ts";
import { argumentNames } from "./operation.ts";
import type { Route } from "./routes.ts";

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
  const { rows } = await pool
    .query<{ version: string }>("select current_setting('server_version') as version")
    .catch((cause) => {
      throw new OperatorError(`DATABASE_URL: ${reasonOf(cause)}`, { cause });
    });
  const version = rows[0]?.version ?? "unknown";
  if (!(Number.parseInt(version, 10) >= OLDEST_SERVER)) {
    throw new OperatorError(
      `PostgreSQL ${OLDEST_SERVER} or later is needed; DATABASE_URL runs ${version}`,
    );
  }
  const operations = await readOperations(pool);
  const missing = routes.filter((route) => !isThere(route, operations));
  if (missing.length > 0) {
    const names = missing.map((route) => `api.${route.call}(${argumentNames(route).join(", ")})`);
    throw new OperatorError(`The database lacks ${names.join(", ")}: run npm run migrate`);
  }
  return summariesOf(operations);
}

/** Where a host has several addresses, Node's error has a code for each and no message. */
const reasonOf = (error: Error & { readonly code?: string }): string =>
  error.message || (error.code ?? error.name);

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
