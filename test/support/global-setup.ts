import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describedRoutes } from "../../src/contract/described.ts";
import { withClient } from "../../src/database/client.ts";
import { createPool } from "../../src/database/pool.ts";
import type { EmbeddedPostgres } from "../../src/embedded/cluster.ts";
import { createDatabase } from "../../src/embedded/database.ts";
import { passwordOf } from "../../src/embedded/passwords.ts";
import { startThrowAwayPostgres } from "../../src/embedded/throw-away.ts";
import { readRuleCatalogue } from "../../src/errors/catalogue.ts";
import { createLogger } from "../../src/log/logger.ts";
import { describeApi } from "../../src/openapi/description.ts";
import { buildPage } from "../../src/pages/build.ts";
import { currentBuild } from "../../src/pages/dist.ts";
import { keepsStatements, type PgBouncer, startPgBouncer } from "./pgbouncer.ts";
import { sqlWithoutHouse } from "./sql-without-house.ts";

declare global {
  var testPostgres: {
    readonly server: EmbeddedPostgres;
    readonly folder: string;
    readonly pgBouncer: PgBouncer | undefined;
  };
}

export const TEMPLATE = "parking_template";

/**
 * One throw-away PostgreSQL for the whole run; each test file clones the template. The rules of the
 * building (sql/house) are not in it: they may refuse what these tests do, and have tests of their own.
 */
const setUp = async (): Promise<void> => {
  if (!currentBuild()) await buildPage();
  const server = await startThrowAwayPostgres({ max_connections: "400" });
  await createDatabase(server, TEMPLATE);
  const sql = await sqlWithoutHouse();
  await withClient(server.url("parking_owner", TEMPLATE), (owner) => owner.query(sql));
  const folder = await mkdtemp(join(tmpdir(), "parking-test-"));
  process.env.TEST_FOLDER = folder;
  // Programs that tests start find there what the first of them has compiled.
  process.env.NODE_COMPILE_CACHE = join(folder, "compiled");
  process.env.TEST_DESCRIPTION = join(folder, "description.json");
  await writeDescription(server.url("parking_api", TEMPLATE), process.env.TEST_DESCRIPTION);
  process.env.TEST_POSTGRES_PORT = String(server.port);
  process.env.TEST_POSTGRES_PASSWORD = server.password;
  globalThis.testPostgres = { server, folder, pgBouncer: await putPgBouncerBetween(server) };
};

/** With PGBOUNCER=<the program>, every test reaches the database through it as the API role. */
async function putPgBouncerBetween(server: EmbeddedPostgres): Promise<PgBouncer | undefined> {
  const program = process.env.PGBOUNCER;
  if (!program) return undefined;
  const pgBouncer = await startPgBouncer({
    program,
    serverPort: server.port,
    passwords: { parking_api: passwordOf("parking_api", server.password) },
    connections: 8,
  });
  process.env.TEST_PGBOUNCER_PORT = String(pgBouncer.port);
  process.env.TEST_PREPARED_STATEMENTS = String(keepsStatements(program));
  return pgBouncer;
}

/** The description of the API as the template's rules make it, for the replay of every answer. */
async function writeDescription(databaseUrl: string, file: string): Promise<void> {
  const pool = createPool(databaseUrl, createLogger("warn"));
  const catalogue = await readRuleCatalogue(pool);
  const options = {
    basePath: "/api",
    rules: await catalogue.all(),
    routes: await describedRoutes(pool),
  };
  await pool.end();
  const signIn = { authorizationUrl: "/identity/auth", tokenUrl: "/identity/token" };
  const descriptions = {
    description: describeApi(options),
    underDevelopment: describeApi({ ...options, signIn }),
    byMail: describeApi({ ...options, hasPasskeys: true }),
  };
  await writeFile(file, JSON.stringify(descriptions));
}

export default setUp;
