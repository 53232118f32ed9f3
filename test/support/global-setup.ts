import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runMigrations } from "../../src/database/migrations.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../src/embedded/cluster.ts";
import { createDatabase } from "../../src/embedded/database.ts";
import { createLogger } from "../../src/log.ts";

declare global {
  var testPostgres: { readonly server: EmbeddedPostgres; readonly folder: string };
}

export const TEMPLATE = "parking_template";

/** One throw-away PostgreSQL for the whole run; each test file clones the migrated template. */
const setUp = async (): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), "parking-test-"));
  const server = await startEmbeddedPostgres({
    dataDir: folder,
    // Nothing here needs to survive a power cut.
    settings: {
      fsync: "off",
      synchronous_commit: "off",
      full_page_writes: "off",
      max_connections: "200",
    },
  });
  await createDatabase(server, TEMPLATE);
  await runMigrations(server.url("parking_owner", TEMPLATE), createLogger("warn"));
  process.env.TEST_POSTGRES_PORT = String(server.port);
  process.env.TEST_POSTGRES_PASSWORD = server.password;
  globalThis.testPostgres = { server, folder };
};

export default setUp;
