import type { IncomingMessage } from "node:http";

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
