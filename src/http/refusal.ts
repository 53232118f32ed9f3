import type { IncomingMessage } from "node:http";
import { logOutage } from "../errors/outage.ts";
import { codeHeader, overloaded, type Problem } from "../errors/problem.ts";
import type { Logger } from "../log/logger.ts";
import type { Refuse } from "../overload/processor.ts";
import { setOriginHeaders } from "./cross-origin.ts";
import { requestIdOf } from "./request.ts";

/** Counts what was refused. */
export interface RefusalMetrics {
  /** Counts what was answered without the app. */
  readonly observeRefused: (request: IncomingMessage, status: number) => void;
  /** Counts a refusal by its code; GraphQL may have several in one answer. */
  readonly refused: (problem: Problem) => void;
}

interface RefusalParts {
  readonly graphqlPath: string;
  readonly logger: Logger;
  readonly metrics?: RefusalMetrics | undefined;
  readonly isAllowed: (origin: string) => boolean;
  readonly isStopping: () => boolean;
}

const problem = overloaded("");
const { status, code, message } = problem;

/**
 * Answers 503 as the app would, and at a tenth of its cost: thousands of requests a second can be
 * refused, while the processor is needed for those that are not.
 */
export function refuser(parts: RefusalParts): Refuse {
  const { graphqlPath, logger, metrics, isAllowed, isStopping } = parts;
  const headers = Object.entries({ ...problem.headers, ...codeHeader(problem) });
  const rest = JSON.stringify({ error: message });
  const graphql = JSON.stringify({ errors: [{ message, extensions: { code, status } }] });

  return (request, response, reason) => {
    const requestId = requestIdOf(request);
    const body = request.url === graphqlPath ? graphql : rest;
    response.statusCode = status;
    response.setHeader("X-Request-Id", requestId);
    for (const [name, value] of headers) response.setHeader(name, value);
    setOriginHeaders(request, response, isAllowed);
    response.setHeader("Content-Type", "application/json; charset=utf-8");
    response.setHeader("Content-Length", body.length); // ASCII: one write with the head
    if (isStopping()) response.setHeader("Connection", "close");
    response.end(body, "latin1");
    metrics?.observeRefused(request, status);
    metrics?.refused(problem);
    logOutage(logger, { requestId, reason });
  };
}
