import type { IncomingMessage, ServerResponse } from "node:http";
import cors from "@koa/cors";
import type { Middleware } from "koa";

const EXPOSED = [
  "ETag",
  "Idempotent-Replayed",
  "Location",
  "Retry-After",
  "WWW-Authenticate",
  "X-Error-Code",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "X-Request-Id",
];

/**
 * Lets the pages of these origins, and of no others, use the API from a browser (Fetch standard,
 * 3.3). Preflights carry no token, so they are answered here, before authentication. Callers are
 * not identified by cookies, so credentials are not allowed.
 */
export const allowOrigins = (isAllowed: (origin: string) => boolean): Middleware =>
  cors({
    origin: (ctx) => (isAllowed(ctx.get("Origin")) ? ctx.get("Origin") : ""),
    allowMethods: ["GET", "HEAD", "POST", "PUT", "DELETE"],
    allowHeaders: [
      "Authorization",
      "Content-Type",
      "Idempotency-Key",
      "If-Match",
      "If-None-Match",
      "Last-Event-ID",
      "X-Request-Id",
    ],
    exposeHeaders: EXPOSED,
    maxAge: 7200, // the longest time that Chromium caches a preflight
    keepHeadersOnError: false, // they are already on the response that renderErrors completes
  });

/** The same for an answer that the app does not make. */
export function setOriginHeaders(
  { headers: { origin } }: IncomingMessage,
  response: ServerResponse,
  isAllowed: (origin: string) => boolean,
): void {
  if (origin === undefined || !isAllowed(origin)) return;
  response.setHeader("Access-Control-Allow-Origin", origin);
  response.setHeader("Access-Control-Expose-Headers", EXPOSED.join(","));
  response.setHeader("Vary", "Origin");
}
