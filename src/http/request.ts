import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import type { Context, Middleware } from "koa";
import getRawBody from "raw-body";
import { Problem } from "../errors/problem.ts";
import type { Logger } from "../log/logger.ts";
import { requestIds } from "../log/slow-statements.ts";
import { arrivalOf, isOfHealth } from "../overload/processor.ts";
import { callerOf } from "../tokens/identity.ts";
import { NO_PATH, refuseFault } from "./server.ts";

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

/** Koa's parser compares each with each: a query of 16 kB would hold everybody up for seconds. */
const MOST_PARAMETERS = 100;

/** Refuses what is no request, or one that a proxy may have understood in another way. */
export const refuseMalformed: Middleware = (ctx, next) => {
  const { req } = ctx;
  refuseFault(ctx);
  // Node reads others although they are none.
  if (!["1.0", "1.1"].includes(req.httpVersion)) throw new Problem("malformed_request");
  if (ctx.path === NO_PATH) throw invalid("The request target is neither a path nor a URL");
  if (ctx.querystring.split("&", MOST_PARAMETERS + 1).length > MOST_PARAMETERS)
    throw invalid(`The query has more than ${MOST_PARAMETERS} parameters`);
  // RFC 9112, 3.2. Node keeps the first of two, and a proxy may have used the other.
  const hosts = timesSent("host", req);
  if (hosts > 1) throw invalid("There are several Host headers");
  if (hosts === 0 && req.httpVersion !== "1.0") throw invalid("There is no Host header");
  const expected = expectationOf(req);
  if (expected !== undefined && !/^100-continue$/i.test(expected)) {
    throw new Problem("expectation_failed"); // RFC 9110, 10.1.1
  }
  return next();
};

const invalid = (message: string): Problem => new Problem("validation_failed", { message });

/** Lets a client send the body that it keeps until the rest of the request was judged. */
export function wantBody(ctx: Context): void {
  refuseFault(ctx);
  if (expectationOf(ctx.req) !== undefined) ctx.res.writeContinue();
}

/** HTTP/1.0 has no expectations. */
const expectationOf = ({ httpVersion, headers }: IncomingMessage): string | undefined =>
  httpVersion === "1.1" ? headers.expect : undefined;

/** How often a request has a header. Node's `headersDistinct` would sort all of them for this. */
export function timesSent(header: string, { rawHeaders }: IncomingMessage): number {
  let times = 0;
  // Names and values take turns.
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? "";
    if (name.length === header.length && name.toLowerCase() === header) times += 1;
  }
  return times;
}

const LARGEST_BODY = 100 * 1024;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });

/**
 * The JSON of a request; an empty object where it has no body.
 * @throws Problem 415 (not JSON, not UTF-8, or compressed), 413 (too large), 400 (incomplete, not UTF-8, not JSON)
 */
export async function readJsonBody(ctx: Context, largest = LARGEST_BODY): Promise<unknown> {
  if (ctx.is() === null || ctx.request.length === 0) return {};
  if (!ctx.is("application/json")) throw new Problem("unsupported_media_type");
  if (!/^(?:utf-?8)?$/i.test(ctx.request.charset)) {
    throw new Problem("unsupported_media_type", { message: "The request body must be in UTF-8" });
  }
  if ((ctx.get("Content-Encoding") || "identity") !== "identity") {
    throw new Problem("unsupported_media_type", {
      message: "The request body must not be compressed",
    });
  }
  const bytes = await readBytes(ctx, largest);
  if (bytes.length === 0) return {};
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch (cause) {
    throw new Problem("invalid_json", { cause });
  }
}

async function readBytes(ctx: Context, largest: number): Promise<Buffer> {
  if ((ctx.request.length ?? 0) <= largest) wantBody(ctx);
  try {
    return await getRawBody(ctx.req, { length: ctx.request.length ?? null, limit: largest });
  } catch (cause) {
    if (!(cause instanceof Error && "type" in cause)) throw cause;
    if (cause.type !== "entity.too.large") throw new Problem("incomplete_body", { cause });
    // The rest of the body is not read, so the connection cannot be used again.
    throw new Problem("body_too_large", {
      message: `The request body is larger than ${Math.trunc(largest / 1024)} kB`,
      headers: { Connection: "close" },
      cause,
    });
  }
}
