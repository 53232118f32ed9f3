import { isDateTime, isEmail } from "../formats.ts";
import type { JsonObject } from "./json.ts";
import { uuidSubject } from "./subject.ts";

/** The claims of a verified token that reach the database, already checked for form. */
export interface Identity {
  readonly sub: string;
  readonly email?: string;
  readonly email_confirmed_at?: string;
  readonly email_verified?: boolean;
}

export interface RequestState {
  /** The caller: set once the token is verified. */
  identity: Identity;
  /** Of a request to GraphQL, the kind of its operation: query or mutation. */
  graphqlOperation?: string;
}

/**
 * A malformed `sub` is refused. The other claims are needed by some operations only, so a
 * malformed one is left out.
 *
 * @param subject makes the caller's id from `sub`
 */
export function identityOf(claims: JsonObject, subject = uuidSubject): Identity {
  const email = usableEmail(claims.email);
  const confirmedAt = usableTime(claims.email_confirmed_at);
  const verified = claims.email_verified;
  return Object.freeze({
    sub: subject(claims.sub),
    ...(email !== undefined && { email }),
    ...(confirmedAt !== undefined && { email_confirmed_at: confirmedAt }),
    ...(typeof verified === "boolean" && { email_verified: verified }),
  });
}

export function usableEmail(claim: unknown): string | undefined {
  const email = typeof claim === "string" ? claim.trim() : "";
  return isEmail(email) ? email : undefined;
}

export const usableTime = (claim: unknown): string | undefined =>
  typeof claim === "string" && isDateTime(claim) ? new Date(claim).toISOString() : undefined;
