import type { Context } from "koa";
import type { Logger } from "../log/logger.ts";
import { arrivalOf } from "./admission.ts";

/** Logs a request when its response is sent or its client is gone. Never the query or a body. */
export function logRequest(ctx: Context, logger: Logger): void {
  const startedAt = arrivalOf(ctx.req);
  // Read now: the address is unknown once the connection is closed, and a listener must not throw.
  const { method, path, ip: address } = ctx;
  ctx.res.on("close", () => {
    const line = {
      requestId: ctx.state.requestId,
      method,
      path,
      status: ctx.res.writableFinished ? ctx.status : "aborted",
      milliseconds: Math.round(performance.now() - startedAt),
      caller: ctx.state.identity?.sub,
      address,
    };
    // Refused for lack of means, there can be thousands a second: errors/outage.ts counts them.
    if (ctx.status === 503) logger.debug(line, "request");
    else logger.info(line, "request");
  });
}
