import { hash } from "node:crypto";
import type { GroupsConfig } from "../config/groups.ts";
import type { TokenConfig } from "../config/settings.ts";
import { isDateTime, isEmail, isUuid, type JsonObject } from "../formats.ts";

/** The claims of a verified token that reach the database, already checked for form. */
export interface Identity {
  /** The person; undefined where the caller is the key of a machine. */
  readonly sub?: string;
  /** The key of a machine, which is nobody's account. */
  readonly key?: string;
  readonly email?: string | undefined;
  readonly email_confirmed_at?: string | undefined;
  readonly email_verified?: boolean | undefined;
  /** When the token was issued, in seconds: of two the later one is believed. */
  readonly iat?: number | undefined;
  /** What the groups of the token decide: undefined where administrators do. */
  readonly is_approved?: boolean | undefined;
  readonly is_admin?: boolean | undefined;
  readonly is_concierge?: boolean | undefined;
}

/** The id of the person or of the key. */
export const callerOf = ({ sub, key }: Identity): string => sub ?? key ?? "";

export interface RequestState {
  /** The caller: set once the token is verified. */
  identity: Identity;
  /** The kind of operation in a request to GraphQL: query or mutation. */
  graphqlOperation?: string;
}

/**
 * A malformed `sub` is refused. The other claims are needed by some operations only, so a
 * malformed one is left out.
 *
 * @param subject makes the caller's id from `sub`
 */
export function identityOf(
  claims: JsonObject,
  subject = uuidSubject,
  groups?: GroupsConfig,
): Identity {
  const { email_verified: verified, iat } = claims;
  return Object.freeze({
    sub: subject(claims.sub),
    email: usableEmail(claims.email),
    email_confirmed_at: usableTime(claims.email_confirmed_at),
    email_verified: typeof verified === "boolean" ? verified : undefined,
    iat: typeof iat === "number" && iat > 0 ? iat : undefined,
    ...(groups && decidedBy(groups, claims)),
  });
}

/** Names are compared to the letter. A token without the claim is one of nobody in any group. */
function decidedBy({ claim, approved, admin, concierge }: GroupsConfig, claims: JsonObject) {
  const groups = groupsOf(claims[claim]);
  return {
    ...(approved && { is_approved: groups.includes(approved) }),
    ...(admin && { is_admin: groups.includes(admin) }),
    ...(concierge && { is_concierge: groups.includes(concierge) }),
  };
}

/** A list, or one text with commas between the names, as some providers write it. */
export function groupsOf(claim: unknown): readonly unknown[] {
  if (typeof claim === "string") return claim.split(",").map((name) => name.trim());
  return Array.isArray(claim) ? claim : [];
}

export function usableEmail(claim: unknown): string | undefined {
  const email = typeof claim === "string" ? claim.trim() : "";
  return isEmail(email) ? email : undefined;
}

export const usableTime = (claim: unknown): string | undefined =>
  typeof claim === "string" && isDateTime(claim) ? new Date(claim).toISOString() : undefined;

/** The namespace of URLs (RFC 9562, 6.6). */
const URLS = "6ba7b811-9dad-11d1-80b4-00c04fd430c8";

/** The most that OpenID Connect Core, 2 allows. */
const MAX_SUB_LENGTH = 255;

/** What makes the caller's id of `sub` under these settings. */
export const subjectsOf = ({ issuer, subIsUuid = true }: TokenConfig) =>
  subIsUuid ? uuidSubject : (sub: unknown) => mappedSubject(issuer, sub);

/** People whom a building took along from another provider keep their ids. */
export const withMoved =
  (subject: (sub: unknown) => string, people: ReadonlyMap<unknown, string> = new Map()) =>
  (sub: unknown): string =>
    people.get(sub) ?? subject(sub);

/** For a provider whose `sub` is a UUID. */
export function uuidSubject(sub: unknown): string {
  if (typeof sub !== "string" || !isUuid(sub)) throw new Error("sub is not a UUID");
  return sub.toLowerCase();
}

/**
 * For a provider whose `sub` is no UUID. A `sub` that is one is mapped too: else a provider that
 * lets people choose theirs would let them choose somebody's id. A change of this rule makes
 * every resident a stranger.
 */
export function mappedSubject(issuer: string, sub: unknown): string {
  if (typeof sub !== "string" || sub === "" || sub.length > MAX_SUB_LENGTH) {
    throw new Error(`sub is not a text of 1 to ${MAX_SUB_LENGTH} characters`);
  }
  // UTF-8 has no lone surrogates: all of them would give the same id.
  if (!sub.isWellFormed()) throw new Error("sub is not well-formed Unicode");
  return uuidV5(uuidV5(URLS, issuer), sub);
}

/** RFC 9562, 5.5: the same name in the same namespace always gives the same id. */
export function uuidV5(namespace: string, name: string): string {
  const data = Buffer.concat([
    Buffer.from(namespace.replaceAll("-", ""), "hex"),
    Buffer.from(name),
  ]);
  return uuidOfDigest(hash("sha1", data, "buffer"), 5);
}

/** The version and the variant replace some of the bits (RFC 9562, 5.5 and 5.8). */
export function uuidOfDigest(digest: Buffer, version: 5 | 8): string {
  const bytes = digest.subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | (version << 4), 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
