import { hash } from "node:crypto";
import type { Context, Middleware } from "koa";
import { LRUCache } from "lru-cache";
import type { Pool } from "pg";
import { callAs, runAlone, type Step } from "../database/transaction.ts";
import { reasonOf } from "../errors/reason.ts";
import { limitRefusedTokens, limitSecrets } from "../limits/strangers.ts";
import type { Logger } from "../log/logger.ts";
import { callerOf, type Identity, type RequestState } from "../tokens/identity.ts";
import { type TokenVerifier, tokenRefused } from "../tokens/verifier.ts";
import { timesSent } from "./request.ts";

/** The sender of a request, by its Authorization header. */
type Authenticator = Pick<TokenVerifier, "verify">;

interface AuthenticationParts {
  readonly tokens: Authenticator;
  readonly keys: MachineKeys;
  readonly basePath: string;
  /** How many refused tokens, and how many unknown keys, an address may send in a minute. */
  readonly unknownPerMinute: number;
}

/** Verifies the token or key of every request below the base path. Other paths end here, unanswered. */
export function authenticate(parts: AuthenticationParts): Middleware<RequestState> {
  const { tokens, keys, basePath, unknownPerMinute } = parts;
  // Later, each request is charged to its key.
  const charged = limitSecrets({ name: "unknown-keys", unknownPerMinute });
  const limited = limitRefusedTokens(unknownPerMinute);

  async function identify(ctx: Context, secretHash: string): Promise<Identity> {
    const found = await charged(ctx, secretHash, async () => {
      const identity = await keys(secretHash);
      return identity && { identity, gives: callerOf(identity) };
    });
    return known(found?.identity);
  }

  return async (ctx, next) => {
    if (ctx.path !== basePath && !ctx.path.startsWith(`${basePath}/`)) return;
    ctx.state.identity = await limited(ctx, async () => {
      const authorization = authorizationOf(ctx);
      const secretHash = keyHashIn(authorization);
      return secretHash === undefined ? tokens.verify(authorization) : identify(ctx, secretHash);
    });
    await next();
  };
}

/** Node keeps the first of two headers, and a proxy may have checked the other. */
function authorizationOf({ req }: Context): string | undefined {
  if (timesSent("authorization", req) > 1) {
    throw tokenRefused(new Error("there are several Authorization headers"));
  }
  return req.headers.authorization || undefined;
}

/** Knows people by their tokens, and machines by their keys. */
export const withKeys = (tokens: Authenticator, keys: MachineKeys): Authenticator => ({
  async verify(authorization) {
    const secretHash = keyHashIn(authorization);
    return secretHash === undefined ? tokens.verify(authorization) : known(await keys(secretHash));
  },
});

function known(identity: Identity | undefined): Identity {
  if (identity === undefined) throw tokenRefused(new Error("there is no such key"));
  return identity;
}

/** The form of a secret in sql/keys/create_key.sql. It has no dots, and a JWT has two. */
const SECRET = /^bearer +(parking_[\w-]{43})$/i;

/** The secret of a key in an Authorization header, where there is one. */
export const keySecretIn = (authorization = ""): string | undefined =>
  SECRET.exec(authorization)?.[1];

/** The hash of that secret. */
function keyHashIn(authorization: string | undefined): string | undefined {
  const secret = keySecretIn(authorization);
  return secret === undefined ? undefined : hash("sha256", secret, "hex");
}

/** Finds the key with this hash of its secret; undefined where there is none. */
export type MachineKeys = (secretHash: string) => Promise<Identity | undefined>;

/** How long a key that was withdrawn may still be known to a process. Its scopes end at once. */
const MEMORY_MS = 5_000;
/** There are twenty keys (sql/keys/rules/keys_twenty_at_most.sql). */
const MOST_REMEMBERED = 20;

/** Finds keys by the hash of their secret, and notes in the background that they are used. */
export function machineKeys(pool: Pool, logger: Logger, memoryMs = MEMORY_MS): MachineKeys {
  const remembered = new LRUCache<string, Identity>({ max: MOST_REMEMBERED, ttl: memoryMs });

  return async (secretHash) => {
    const found = remembered.get(secretHash);
    if (found) return found;
    const [[id, isNoted] = []] = await runAlone(pool, identifyKey(secretHash));
    if (id == null) return undefined;
    const identity = Object.freeze({ key: id });
    remembered.set(secretHash, identity);
    if (isNoted === "f")
      note(pool, identity, noteKey).catch((error) =>
        logger.warn({ reason: reasonOf(error) }, "the use of a key was not noted"),
      );
    return identity;
  };
}

const identifyKey = (secretHash: string) => ({
  name: "identify_key",
  text: "select id, is_noted from private.identify_key($1)",
  values: [`\\x${secretHash}`],
});

/**
 * The database keeps what the groups of a token decide, once for each token: rules about other people
 * than the caller read it there.
 */
export function followGroups(pool: Pool): Middleware<RequestState> {
  const followed = new WeakSet<Identity>(); // the same object while the token is cached

  const follow = async (identity: Identity) => {
    await note(pool, identity, noteGroups);
    followed.add(identity);
  };
  return ({ state: { identity } }, next) => {
    const isDecided =
      (identity.is_approved ?? identity.is_admin ?? identity.is_concierge) !== undefined;
    return isDecided && !followed.has(identity) ? follow(identity).then(next) : next();
  };
}

const noteKey = { name: "note_key", text: "select private.note_key()", values: [] };
const noteGroups = { name: "follow_groups", text: "select private.follow_groups()", values: [] };

/** Has the database note something about the caller. Mostly it is there already. */
const note = (pool: Pool, identity: Identity, step: Step) =>
  callAs(pool, JSON.stringify(identity), {
    kind: "rare write",
    steps: [step],
    row: callerOf(identity),
  });
