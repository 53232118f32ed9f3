import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** What is safe to write into the log unchanged. */
const WELL_FORMED = /^[\w.:+/=-]{1,128}$/;

/** The X-Request-Id of the client, or a new one: it connects a response with its log line. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers["x-request-id"];
  return typeof given === "string" && WELL_FORMED.test(given) ? given : randomUUID();
}

const current = new AsyncLocalStorage<string>();

/** Answers a request: all that is done for it can ask for its id. */
export const asRequest = <T>(id: string, answer: () => T): T => current.run(id, answer);

/** The id of the request that the caller works for; none outside a request. */
export const currentRequestId = (): string | undefined => current.getStore();
