import type { Middleware } from "koa";
import { type Logger, pino } from "pino";
import type { LogLevel } from "./config.ts";

export type { Logger };

/** One JSON object a line on standard output, as log collectors read them. */
export const createLogger = (level: LogLevel): Logger =>
  pino({
    level,
    base: null,
    messageKey: "message",
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  });

/** A line for each request, once its response is sent or its client is gone. Never the query or a body. */
export function logRequests(logger: Logger): Middleware {
  return async (ctx, next) => {
    const startedAt = performance.now();
    ctx.res.once("close", () => {
      logger.info(
        {
          requestId: ctx.state.requestId,
          method: ctx.method,
          path: ctx.path,
          status: ctx.res.writableFinished ? ctx.status : "aborted",
          milliseconds: Math.round(performance.now() - startedAt),
          caller: ctx.state.identity?.sub,
        },
        "request",
      );
    });
    await next();
  };
}
