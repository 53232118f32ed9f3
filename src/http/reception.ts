import type { Middleware } from "koa";
import type { Logger } from "../log/logger.ts";
import { NEVER_STORED } from "./caching.ts";
import { asRequest, requestIdOf } from "./request-id.ts";
import { logRequest } from "./request-log.ts";
import { securityHeaders } from "./security-headers.ts";

const usualHeaders = new Map([...securityHeaders, ["Cache-Control", NEVER_STORED]]);

/**
 * What every request gets, whatever becomes of it: an id, a line in the log, and the usual headers.
 * While the service stops, each answer asks the client to leave the connection.
 */
export function receive(logger: Logger, isStopping: () => boolean): Middleware {
  return async (ctx, next) => {
    const id = requestIdOf(ctx.req);
    ctx.state.requestId = id;
    ctx.res.setHeader("X-Request-Id", id);
    ctx.res.setHeaders(usualHeaders);
    logRequest(ctx, logger);
    await asRequest(id, next);
    if (isStopping()) ctx.set("Connection", "close");
  };
}
