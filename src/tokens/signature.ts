import { compactVerify, decodeJwt, errors } from "jose";
import { Problem } from "../errors/problem.ts";
import { TOLERANCE_MS } from "./claims.ts";
import type { KeySource, Keys } from "./keys.ts";

/** What a token says, and the keys that prove it. */
export interface SignedPayload {
  readonly payload: Uint8Array;
  readonly keys: Keys;
}

/**
 * Where no current key fits, the provider may have a new one: the keys are fetched again, once.
 *
 * @param arrival when the token came
 * @throws Problem 503 where the key may be newer than the last fetch, and it is too soon for another
 */
export async function verifySignature(
  token: string,
  source: KeySource,
  arrival: number,
): Promise<SignedPayload> {
  const { algorithms } = source;
  const verifyWith = async (keys: Keys): Promise<SignedPayload> => {
    const { payload } = await compactVerify(token, keys, { algorithms });
    return { payload, keys };
  };
  try {
    return await verifyWith(await source.current());
  } catch (cause) {
    if (!(cause instanceof errors.JWKSNoMatchingKey)) throw cause;
  }
  try {
    return await verifyWith(await source.renewed());
  } catch (cause) {
    if (!(cause instanceof errors.JWKSNoMatchingKey)) throw cause;
    const seconds = source.untilFetched(Math.min(arrival, issuedBefore(token)));
    throw seconds === undefined ? cause : keyUnknown(seconds);
  }
}

/**
 * A token's key was published before the token was issued. Nobody has proved what it says of that,
 * and who invents it gains a 503 in the place of a 401.
 */
function issuedBefore(token: string): number {
  const { iat } = decodeJwt(token);
  return typeof iat === "number" ? iat * 1_000 + TOLERANCE_MS : Number.NEGATIVE_INFINITY;
}

const KEY_UNKNOWN = "no key of AUTH_ISSUER fits, and it is too soon to fetch them again";

const keyUnknown = (seconds: number): Problem =>
  new Problem("service_unavailable", {
    headers: { "Retry-After": String(seconds) },
    cause: KEY_UNKNOWN,
  });

/** Of a failure, whether it is about the token, so that sending more such tokens is limited. */
export const isAboutToken = ({ status, cause }: Problem): boolean =>
  status === 401 || cause === KEY_UNKNOWN;
