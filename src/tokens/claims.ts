import type { JsonObject } from "./json.ts";

/** How far the issuer's clock and ours may differ. */
const TOLERANCE_MS = 5_000;

/** Claims of ID tokens (OpenID Connect Core, 2) and of logout tokens (Back-Channel Logout, 2.4). */
const FOREIGN_CLAIMS = ["nonce", "at_hash", "c_hash", "events"];

/** Claims by which providers tell their kinds of token apart, and the kinds that open no door. */
const KIND_CLAIMS = ["typ", "token_use", "token_type"];
const FOREIGN_KINDS = ["id", "refresh", "offline", "logout"];

/** Who must have issued a token, and for whom. */
export interface Recipient {
  readonly issuer: string;
  readonly audience: string;
}

/** When a token is good, in milliseconds, the tolerance included. */
export interface Lifetime {
  readonly from: number;
  readonly until: number;
}

/** Checks that this is an access token, by our issuer and for us (RFC 8725, 3.8, 3.9 and 3.12). */
export function checkRecipient(claims: JsonObject, { issuer, audience }: Recipient): void {
  if (claims.iss !== issuer) throw new Error("iss is not the issuer");
  if (!audiencesOf(claims.aud).includes(audience)) throw new Error("aud is not ours");
  const foreign = FOREIGN_CLAIMS.find((name) => Object.hasOwn(claims, name));
  if (foreign !== undefined) throw new Error(`an access token has no ${foreign}`);
  const kind = KIND_CLAIMS.find((name) => isForeignKind(claims[name]));
  if (kind !== undefined) throw new Error(`${kind} is not an access token's`);
}

/** One string, or an array of nothing but strings (RFC 7519, 4.1.3). */
function audiencesOf(aud: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  return list.every((one) => typeof one === "string") ? list : [];
}

const isForeignKind = (kind: unknown): boolean =>
  typeof kind === "string" && FOREIGN_KINDS.includes(kind.toLowerCase());

/** RFC 7519, 4.1.4 to 4.1.6: `exp` is required; `nbf` and `iat`, where present, have passed. */
export function lifetimeOf({ exp, nbf = 0, iat = 0 }: JsonObject): Lifetime {
  return {
    from: Math.max(milliseconds("nbf", nbf), milliseconds("iat", iat)) - TOLERANCE_MS,
    until: milliseconds("exp", exp) + TOLERANCE_MS,
  };
}

/** A number in JSON can be too large for us (1e999), and a token with it good for ever. */
function milliseconds(claim: string, numericDate: unknown): number {
  const time = typeof numericDate === "number" ? numericDate * 1_000 : Number.NaN;
  if (!Number.isFinite(time)) throw new Error(`${claim} is not a finite number`);
  return time;
}

export function checkTime({ from, until }: Lifetime, now: number): void {
  if (now < from) throw new Error("the token is not good yet");
  if (now >= until) throw new Error("the token has expired");
}
