import { jest } from "@jest/globals";
import { Problem } from "../../src/errors/problem.ts";
import {
  createTokenVerifier,
  type TokenVerifier,
  type VerifierOptions,
} from "../../src/tokens/verifier.ts";
import { type KeyServer, startKeyServer } from "../support/key-server.ts";
import { makeKey, type SigningKey, signToken, usualClaims } from "../support/tokens.ts";
import { AUDIENCE, NOW, SUB } from "./lab.ts";

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;

/** An identity provider and a verifier that trusts it, with a clock that tests move. */
export interface Provider {
  readonly server: KeyServer;
  /** Published at the start. */
  readonly key: SigningKey;
  readonly verifier: TokenVerifier;
  /** How often the key set was fetched. */
  readonly fetches: () => number;
  readonly pass: (milliseconds: number) => void;
  /** Lets time pass and refreshes the keys, as the service does each minute. */
  readonly passAndRefresh: (milliseconds: number) => Promise<void>;
  /** An Authorization header with a new token, valid for a day. */
  readonly bearer: (key: SigningKey) => string;
  /** The status that a new token signed with the key leads to. */
  readonly statusOf: (key: SigningKey) => Promise<number>;
}

export async function startProvider(settings: Partial<VerifierOptions> = {}): Promise<Provider> {
  const key = makeKey("ES256", "first");
  const server = await startKeyServer(key.publicJwk);
  let now = NOW;
  jest.spyOn(Date, "now").mockImplementation(() => now);
  let tokens = 0;
  const verifier = createTokenVerifier({
    issuer: server.origin,
    audience: AUDIENCE,
    ...settings,
  });

  function bearer(by: SigningKey): string {
    const claims = usualClaims(server.origin, AUDIENCE, now);
    const exp = Number(claims.iat) + 86_400;
    tokens += 1;
    return `Bearer ${signToken(by, { ...claims, exp, sub: SUB, jti: String(tokens) })}`;
  }

  return {
    server,
    key,
    verifier,
    bearer,
    fetches: () => server.requests.filter((path) => path === "/jwks").length,
    pass(milliseconds) {
      now += milliseconds;
    },
    async passAndRefresh(milliseconds) {
      now += milliseconds;
      await verifier.refreshKeys();
    },
    statusOf: (by) => statusOf(verifier.verify(bearer(by))),
  };
}

/** 200, or the status of the problem. Any other error fails the test. */
export async function statusOf(attempt: Promise<unknown>): Promise<number> {
  try {
    await attempt;
    return 200;
  } catch (error) {
    if (error instanceof Problem) return error.status;
    throw error;
  }
}

/** How long something took in real time, in milliseconds. */
export async function durationOf(work: Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work;
  return performance.now() - start;
}
