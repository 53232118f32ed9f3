import { hash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { LRUCache } from "lru-cache";

const MOST_REMEMBERED = 5_000;
/** One that is refused for its time, or for a key that is not fetched yet, may be good later. */
const MEMORY_MS = 60_000;

/** Remembers for a while which credentials were refused. */
export function refusedCredentials() {
  const digests = new LRUCache<string, true>({ max: MOST_REMEMBERED, ttl: MEMORY_MS });
  /** Of all Authorization headers: one of several is no other request's only one. */
  const digestOf = ({ headersDistinct: { authorization = [] } }: IncomingMessage): string =>
    hash("sha256", authorization.join("\n"), "base64");
  return {
    /** The usual request is not hashed: nothing was refused. */
    has: (req: IncomingMessage): boolean => digests.size > 0 && digests.has(digestOf(req)),
    add: (req: IncomingMessage): void => void digests.set(digestOf(req), true),
  };
}
