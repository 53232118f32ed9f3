import type { Pool } from "pg";
import { argumentNames } from "./operation.ts";
import type { Route } from "./routes.ts";

const OLDEST_SERVER = 18;

/**
 * Refuses to serve from a database that cannot hold the rules, or lacks an operation.
 * @throws Error that says what to do
 */
export async function checkDatabase(pool: Pool, routes: readonly Route[]): Promise<void> {
  const { rows } = await pool.query<{ version: string }>(
    "select current_setting('server_version') as version",
  );
  const version = rows[0]?.version ?? "unknown";
  if (!(Number.parseInt(version, 10) >= OLDEST_SERVER)) {
    throw new Error(`PostgreSQL ${OLDEST_SERVER} or later is needed; DATABASE_URL runs ${version}`);
  }
  const missing = await missingFunctions(pool, routes);
  if (missing.length > 0) {
    throw new Error(`The database lacks ${missing.join(", ")}: run npm run migrate`);
  }
}

/** The operations that the routes call and this role may not, or which take other arguments. */
async function missingFunctions(pool: Pool, routes: readonly Route[]): Promise<string[]> {
  const { rows } = await pool.query<{ name: string; arguments: string[] | null }>(`
    select p.proname as name, p.proargnames as arguments
      from pg_catalog.pg_proc p
      join pg_catalog.pg_namespace n on n.oid = p.pronamespace
     where n.nspname = 'api'
       and has_schema_privilege(n.oid, 'usage')
       and has_function_privilege(p.oid, 'execute')`);
  const functions = new Map(rows.map((row) => [row.name, (row.arguments ?? []).toSorted().join()]));
  return routes
    .filter((route) => functions.get(route.call) !== argumentNames(route).toSorted().join())
    .map((route) => `api.${route.call}(${argumentNames(route).join(", ")})`);
}
