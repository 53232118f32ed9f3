import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import type { Context, Middleware } from "koa";
import type { Logger } from "../log/logger.ts";
import { requestIds } from "../log/slow-statements.ts";
import { arrivalOf, isOfHealth } from "../overload/processor.ts";
import { callerOf } from "../tokens/identity.ts";

/** What is safe to write into the log unchanged. */
const WELL_FORMED = /^[\w.:+/=-]{1,128}$/;

/** The X-Request-Id of the client, or a new one: it connects a response with its log line. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers["x-request-id"];
  return typeof given === "string" && WELL_FORMED.test(given) ? given : randomUUID();
}

/**
 * What every request gets, whatever becomes of it: an id, and a line in the log. While the service
 * stops, each answer asks the client to leave the connection.
 */
export function receive(logger: Logger, isStopping: () => boolean): Middleware {
  return async (ctx, next) => {
    const id = requestIdOf(ctx.req);
    ctx.state.requestId = id;
    ctx.res.setHeader("X-Request-Id", id);
    logRequest(ctx, logger);
    await requestIds.run(id, next);
    if (isStopping()) ctx.set("Connection", "close");
  };
}

/** The last segment is a secret of the browser that signs somebody in. */
const SIGN_IN = /^(\/identity\/(?:interaction|auth)\/).+$/;

/** Logs a request when its response is sent or its client is gone. Never the query or a body. */
function logRequest(ctx: Context, logger: Logger): void {
  const startedAt = arrivalOf(ctx.req);
  // Read now: the address is unknown once the connection is closed, and a listener must not throw.
  const { method, path, ip: address } = ctx;
  ctx.res.on("close", () => {
    const line = {
      requestId: ctx.state.requestId,
      method,
      path: path.replace(SIGN_IN, "$1…"),
      status: ctx.res.writableFinished ? ctx.status : "aborted",
      milliseconds: Math.round(performance.now() - startedAt),
      caller: ctx.state.identity && callerOf(ctx.state.identity),
      address,
    };
    // Refused for lack of means, there can be thousands a second: errors/outage.ts counts them. And a
    // proxy asks for our health all the time.
    if (ctx.status === 503 || isOfHealth(path)) logger.debug(line, "request");
    else logger.info(line, "request");
  });
}

/** Some proxies write the port of their client, too: it differs with each connection. */
const WITH_PORT = /^(?:\[(?<v6>[^\]]+)\]|(?<v4>[\d.]+))(?::\d{1,5})?$/;

/** The address of `203.0.113.7:1234`, `[2001:db8::1]:1234` and `[2001:db8::1]`; else what is there. */
function addressOf(forwarded: string): string {
  const { v6, v4 } = WITH_PORT.exec(forwarded)?.groups ?? {};
  const address = v6 ?? v4 ?? "";
  return isIP(address) ? address : forwarded;
}

/** The client's address without a port, behind a proxy. */
export const forwardedAddress: Middleware = (ctx, next) => {
  ctx.request.ip = addressOf(ctx.request.ip);
  return next();
};

/** Says once that a proxy stands before us: all clients then share its address, and its limits. */
export function noticeProxy(logger: Logger): Middleware {
  let isNoticed = false;
  return (ctx, next) => {
    if (!isNoticed && (ctx.headers["x-forwarded-for"] ?? ctx.headers.forwarded) !== undefined) {
      isNoticed = true;
      logger.warn("requests come through a proxy, and TRUST_PROXY is not true");
    }
    return next();
  };
}
