import type { Context, Middleware } from "koa";
import { limitSecrets } from "../limits/secrets.ts";
import { callerOf, type Identity, type RequestState } from "../tokens/identity.ts";
import { keyHashIn, type MachineKeys } from "../tokens/machine-keys.ts";
import { type TokenVerifier, tokenRefused } from "../tokens/verifier.ts";
import { timesSent } from "./well-formed.ts";

/** The sender of a request, by its Authorization header. */
export type Authenticator = Pick<TokenVerifier, "verify">;

/** Knows people by their tokens, and machines by their keys. */
export const withKeys = (tokens: Authenticator, keys: MachineKeys): Authenticator => ({
  async verify(authorization) {
    const secretHash = keyHashIn(authorization);
    if (secretHash === undefined) return tokens.verify(authorization);
    return known(await keys.identify(secretHash));
  },
});

function known(identity: Identity | undefined): Identity {
  if (identity === undefined) throw tokenRefused(new Error("there is no such key"));
  return identity;
}

export interface AuthenticationParts {
  readonly tokens: Authenticator;
  readonly keys: MachineKeys;
  readonly basePath: string;
  /** How many unknown keys an address may send in a minute. */
  readonly unknownPerMinute: number;
}

/** Verifies the token or key of every request below the base path. Other paths end here, unanswered. */
export function authenticate(parts: AuthenticationParts): Middleware<RequestState> {
  const { tokens, keys, basePath, unknownPerMinute } = parts;
  // Later, each request is charged to its key.
  const charged = limitSecrets({ name: "unknown-keys", unknownPerMinute });

  async function identify(ctx: Context, secretHash: string): Promise<Identity> {
    const found = await charged(ctx, secretHash, async () => {
      const identity = await keys.identify(secretHash);
      return identity && { identity, gives: callerOf(identity) };
    });
    return known(found?.identity);
  }

  return async (ctx, next) => {
    if (ctx.path !== basePath && !ctx.path.startsWith(`${basePath}/`)) return;
    const authorization = authorizationOf(ctx);
    const secretHash = keyHashIn(authorization);
    ctx.state.identity = await (secretHash === undefined
      ? tokens.verify(authorization)
      : identify(ctx, secretHash));
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
