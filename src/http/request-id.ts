import { randomUUID } from "node:crypto";
import type { Middleware } from "koa";

/** What is safe to write into the log unchanged. */
const WELL_FORMED = /^[\w.:+/=-]{1,128}$/;

/** Echoes the X-Request-Id of the client, or makes one: it connects a response with its log line. */
export const requestId: Middleware = async (ctx, next) => {
  const given = ctx.get("X-Request-Id");
  const id = WELL_FORMED.test(given) ? given : randomUUID();
  ctx.state.requestId = id;
  ctx.set("X-Request-Id", id);
  await next();
};
