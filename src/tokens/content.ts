import { decodeJwt, decodeProtectedHeader } from "jose";
import type { TokenConfig } from "../config/config.ts";
import { usableEmail, usableTime } from "./identity.ts";

export type Claims = Readonly<Record<string, unknown>>;

/** Both parts as they stand; nothing is proved. Undefined where they cannot be read. */
export function readable(token: string): { header: Claims; claims: Claims } | undefined {
  try {
    return { header: { ...decodeProtectedHeader(token) }, claims: decodeJwt(token) };
  } catch {
    return undefined;
  }
}

/** What the service looks for, so that its absence shows. */
const EXPECTED = {
  iss: undefined,
  aud: undefined,
  sub: undefined,
  exp: undefined,
  email: undefined,
};

/** All that the token contains, and what the settings or the service make of it. */
export function contentOf(
  token: string,
  { issuer, audience }: TokenConfig,
): readonly (readonly [name: string, value: string])[] {
  const { header, claims } = readable(token) ?? {};
  if (header === undefined || claims === undefined) return [];
  const notes: Readonly<Record<string, (value: unknown) => string>> = {
    iss: () => `AUTH_ISSUER is ${issuer}`,
    aud: () => `AUTH_AUDIENCE is ${audience}`,
    exp: timeOf,
    iat: timeOf,
    nbf: timeOf,
    email: (value) =>
      value === undefined || usableEmail(value) ? "" : "not an address: it does not count",
    email_verified: (value) =>
      typeof value === "boolean" ? "" : "not the boolean true or false: it does not count",
    email_confirmed_at: (value) =>
      usableTime(value) ? "" : "not a time such as 2027-01-01T10:00:00Z: it does not count",
  };
  // Each by itself: both may have a typ.
  const all = [...Object.entries(header), ...Object.entries({ ...EXPECTED, ...claims })];
  return all.map(([name, value]) => {
    const note = notes[name]?.(value) ?? "";
    return [name, `${JSON.stringify(value) ?? "missing"}${note && ` (${note})`}`];
  });
}

const timeOf = (seconds: unknown): string =>
  typeof seconds === "number" && Math.abs(seconds) < 8e12
    ? new Date(seconds * 1_000).toISOString()
    : "";
