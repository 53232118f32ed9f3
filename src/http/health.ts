import Router from "@koa/router";
import type { Pool } from "pg";
import { serviceUnavailable } from "../errors/problem.ts";
import { version } from "../version.ts";

/** For supervisors: /livez answers while the process runs, /readyz while the database takes writes too. */
export function healthRoutes(healthPool: Pool, isStopping: () => boolean): Router {
  let checking: Promise<void> | undefined;
  const checkOnce = () => {
    checking ??= checkDatabase(healthPool).finally(() => {
      checking = undefined;
    });
    return checking;
  };
  return new Router()
    .get("/livez", (ctx) => {
      ctx.body = { status: "ok", version };
    })
    .get("/readyz", async (ctx) => {
      if (isStopping()) throw serviceUnavailable("stopping");
      await checkOnce();
      ctx.body = { status: "ok" };
    });
}

async function checkDatabase(pool: Pool): Promise<void> {
  let isReadOnly = true;
  try {
    const client = await pool.connect();
    try {
      const { rows } = await client.query<{ readOnly: boolean }>(
        `select current_setting('transaction_read_only')::boolean as "readOnly"`,
      );
      isReadOnly = rows[0]?.readOnly !== false;
    } finally {
      // After a failover, a new connection leads to the server that writes.
      client.release(isReadOnly);
    }
  } catch (cause) {
    throw serviceUnavailable(cause);
  }
  if (isReadOnly) throw serviceUnavailable("the database is read-only");
}
