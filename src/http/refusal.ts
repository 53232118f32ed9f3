import { logOutage } from "../errors/outage-log.ts";
import { overloaded } from "../errors/problem.ts";
import type { Logger } from "../log/logger.ts";
import type { RequestMetrics } from "../metrics/requests.ts";
import type { Refuse } from "./admission.ts";
import { NEVER_STORED } from "./caching.ts";
import { originHeaders } from "./cross-origin.ts";
import { requestIdOf } from "./request-id.ts";
import { securityHeaders } from "./security-headers.ts";

export interface RefusalParts {
  readonly graphqlPath: string;
  readonly logger: Logger;
  readonly metrics?: RequestMetrics | undefined;
  readonly isAllowed: (origin: string) => boolean;
  readonly isStopping: () => boolean;
}

const problem = overloaded("");
const { status, code, message, headers } = problem;

/**
 * Answers 503 as the app would, and at a tenth of its cost: thousands of requests a second can be
 * refused, while the processor is needed for those that are not.
 */
export function refuser(parts: RefusalParts): Refuse {
  const { graphqlPath, logger, metrics, isAllowed, isStopping } = parts;
  const rest = prepared({ error: message });
  const graphql = prepared({ errors: [{ message, extensions: { code, status } }] });

  return (request, response, reason) => {
    const requestId = requestIdOf(request);
    const { head, body } = request.url === graphqlPath ? graphql : rest;
    response.writeHead(status, [
      ...head,
      "X-Request-Id",
      requestId,
      ...originHeaders(request.headers.origin, isAllowed),
      ...(isStopping() ? ["Connection", "close"] : []),
    ]);
    response.end(body, "latin1"); // ASCII: one write with the head
    metrics?.observeRefused(request, status);
    metrics?.refused(problem);
    logOutage(logger, { requestId, reason });
  };
}

interface Prepared {
  readonly head: readonly string[];
  readonly body: string;
}

function prepared(content: object): Prepared {
  const body = JSON.stringify(content);
  const all = new Map([
    ...securityHeaders,
    ["Cache-Control", NEVER_STORED],
    ["Content-Type", "application/json; charset=utf-8"],
    ["Content-Length", String(Buffer.byteLength(body))],
    ...Object.entries(headers),
    ["X-Error-Code", code],
  ]);
  return { head: [...all].flat().map(String), body };
}
