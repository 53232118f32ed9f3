import { isIP } from "node:net";
import type { Middleware } from "koa";
import type { Logger } from "../log/logger.ts";

/** Some proxies write the port of their client, too: it differs with each connection. */
const WITH_PORT = /^(?:\[(?<v6>[^\]]+)\]|(?<v4>[\d.]+))(?::\d{1,5})?$/;

/** The address of `203.0.113.7:1234`, `[2001:db8::1]:1234` and `[2001:db8::1]`; else what is there. */
export function addressOf(forwarded: string): string {
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
