import { Problem } from "../errors/problem.ts";

/** Far above any access token in use. Limits what an unknown client can make us hash and parse. */
const MAX_TOKEN_LENGTH = 8192;

/** `Bearer` and one b64token, the scheme in any case (RFC 6750, 2.1; RFC 9110, 11.1). */
const BEARER = /^bearer +([\w.~+/-]+=*)$/i;

/**
 * The token of an Authorization header.
 *
 * @throws Problem 401 when the header carries no bearer token at all
 */
export function bearerToken(authorization: string | undefined): string {
  if (authorization === undefined || !/^bearer\s+\S/i.test(authorization)) throw tokenMissing();
  const token = BEARER.exec(authorization)?.[1];
  if (token === undefined) throw new Error("the credentials are not one b64token");
  if (token.length > MAX_TOKEN_LENGTH) throw new Error("the token is too long");
  return token;
}

/** Without a token, or with another scheme, no error code is given (RFC 6750, 3.1). */
const tokenMissing = (): Problem => unauthorized("Bearer", undefined);

/** The client does not learn the reason; `cause` carries it to the log. */
export const tokenRefused = (cause: unknown): Problem =>
  unauthorized('Bearer error="invalid_token"', cause);

const unauthorized = (challenge: string, cause: unknown): Problem =>
  new Problem("authentication_required", { headers: { "WWW-Authenticate": challenge }, cause });
