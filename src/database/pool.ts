import { Pool } from "pg";
import type { Logger } from "../log.ts";

const CONNECTIONS = 10;

/** The service's connections, each of which sends a request's statements together. */
export function createPool(url: string, logger: Logger, connections = CONNECTIONS): Pool {
  const pool = new Pool({
    connectionString: url,
    max: connections,
    application_name: "parking",
    pipeline: true,
    // The server gives up first (statement_timeout of parking_api); this is for one that is gone.
    query_timeout: 15_000,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  });
  // An idle connection that breaks would otherwise end the process; the pool makes a new one.
  pool.on("error", (error) => logger.warn({ err: error }, "database connection lost"));
  // So would one that breaks in use; who uses it is told by the statement that fails.
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}
