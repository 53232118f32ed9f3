import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** What is safe to write into the log unchanged. */
const WELL_FORMED = /^[\w.:+/=-]{1,128}$/;

/** The X-Request-Id of the client, or a new one: it connects a response with its log line. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers["x-request-id"];
  return typeof given === "string" && WELL_FORMED.test(given) ? given : randomUUID();
}
