import { startKeyServer } from "../../test/support/key-server.ts";
import { makeKey, type SigningKey, signToken, usualClaims } from "../../test/support/tokens.ts";

/** A resident of the building that fill.sql makes, with the spot that they own. */
export interface Resident {
  readonly number: number;
  readonly id: string;
  readonly email: string;
  readonly token: string;
}

/** Where the tokens come from, as the service and its peers are set up to expect. */
export interface Issuer {
  readonly issuer: string;
  readonly audience: string;
  /** The same token each time, as a client has one for an hour. */
  resident(number: number): Resident;
  close(): Promise<void>;
}

const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, "0");

export const personId = (number: number): string => `00000000-0000-7000-8000-${hex(number, 12)}`;
export const spotId = (number: number): string => `00000000-0000-7001-8000-${hex(number, 12)}`;
/** @param index counts the windows of the spot from the oldest, which is 0 */
export const windowId = (spot: number, index: number): string =>
  `00000000-0000-7002-8000-${hex(spot, 6)}${hex(index, 6)}`;

const AUDIENCE = "parking";
const DAY = 86_400;

/** RS256, which most identity providers use. */
export async function startIssuer(): Promise<Issuer> {
  const key = makeKey("RS256", "bench");
  const server = await startKeyServer(key.publicJwk);
  const residents = new Map<number, Resident>();
  return {
    issuer: server.origin,
    audience: AUDIENCE,
    resident(number) {
      const known = residents.get(number) ?? residentOf(number, key, server.origin);
      residents.set(number, known);
      return known;
    },
    close: () => server.close(),
  };
}

function residentOf(number: number, key: SigningKey, issuer: string): Resident {
  const id = personId(number);
  const email = `p${number}@bench.example`;
  const usual = usualClaims(issuer, AUDIENCE, Date.now());
  const exp = Math.floor(Date.now() / 1000) + DAY;
  const token = signToken(key, { ...usual, exp, sub: id, email, email_verified: true });
  return { number, id, email, token };
}
