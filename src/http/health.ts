import Router from "@koa/router";
import type { Pool } from "pg";
import { serviceUnavailable } from "../errors/problem.ts";

/** For supervisors: /livez answers while the process runs, /readyz while the database answers too. */
export function healthRoutes(pool: Pool, isStopping: () => boolean): Router {
  return new Router()
    .get("/livez", (ctx) => {
      ctx.body = { status: "ok" };
    })
    .get("/readyz", async (ctx) => {
      if (isStopping()) throw serviceUnavailable("stopping");
      await pool.query("select 1").catch((cause) => {
        throw serviceUnavailable(cause);
      });
      ctx.body = { status: "ok" };
    });
}
