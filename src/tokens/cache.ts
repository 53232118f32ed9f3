import type { Lifetime } from "./claims.ts";
import type { Identity } from "./identity.ts";
import type { Keys } from "./keys.ts";

/** What was found out about a token, and under which keys it was found. */
export interface VerifiedToken {
  readonly identity: Identity;
  readonly lifetime: Lifetime;
  readonly keys: Keys;
}

export interface TokenCache {
  get(digest: string): VerifiedToken | undefined;
  set(digest: string, token: VerifiedToken): void;
  delete(digest: string): void;
}

/** Forgets the least recently used token when full. A Map keeps the order in which keys came. */
export function tokenCache(capacity: number): TokenCache {
  const tokens = new Map<string, VerifiedToken>();

  function set(digest: string, token: VerifiedToken): void {
    tokens.delete(digest);
    tokens.set(digest, token);
    const [oldest] = tokens.keys();
    if (tokens.size > capacity && oldest !== undefined) tokens.delete(oldest);
  }

  return {
    get(digest) {
      const token = tokens.get(digest);
      if (token !== undefined) set(digest, token);
      return token;
    },
    set,
    delete: (digest) => void tokens.delete(digest),
  };
}
