import { decodeJwt, decodeProtectedHeader } from "jose";
import type { TokenConfig } from "../config/settings.ts";
import { Problem } from "../errors/problem.ts";
import { reasonOf } from "../errors/reason.ts";
import type { JsonObject } from "../formats.ts";
import { headerFaults, recipientFaults } from "./claims.ts";
import { type Identity, subjectsOf, usableEmail, usableTime } from "./identity.ts";
import { PUBLIC_KEY_ALGORITHMS, sharedSecret } from "./keys.ts";
import { checkTime, createTokenVerifier, lifetimeOf } from "./verifier.ts";

export interface Explanation {
  readonly isAccepted: boolean;
  readonly lines: readonly string[];
}

/** Says who the caller with this token is to a service with these settings, or all that is wrong. */
export async function explainToken(token: string, config: TokenConfig): Promise<Explanation> {
  const result = await createTokenVerifier(config)
    .verify(`Bearer ${token}`)
    .catch((error) => {
      if (error instanceof Problem) return error;
      throw error;
    });
  const isAccepted = !(result instanceof Problem);
  const verdict = isAccepted
    ? ["The service accepts this token.", ...table([["caller", callerOf(result)]])]
    : ["The service refuses this token:", ...faultsOf(token, config, result).map(item)];
  return { isAccepted, lines: [...verdict, ...table(contentOf(token, config))] };
}

const item = (fault: string): string => `- ${fault}`;

const table = (lines: readonly (readonly [name: string, value: string])[]): readonly string[] =>
  lines.map(([name, value]) => `  ${name.padEnd(20)} ${value}`);

function callerOf(identity: Identity): string {
  const { sub, email, email_confirmed_at, email_verified } = identity;
  if (email === undefined)
    return `${sub}; nobody can register without an email: POST /profile is 400`;
  const isConfirmed = email_confirmed_at !== undefined || email_verified === true;
  const facts = [
    [isConfirmed, "confirmed"],
    [identity.is_approved, "approved"],
    [identity.is_admin, "administrator"],
    [identity.is_concierge, "concierge"],
  ] as const;
  const known = facts.filter(([is]) => is !== undefined);
  return [sub, email, ...known.map(([is, fact]) => (is ? fact : `not ${fact}`))].join(", ");
}

/** Why the service refuses it, and what it would find next: each can then be mended at once. */
function faultsOf(token: string, config: TokenConfig, { cause, status }: Problem) {
  const reason = reasonOf(cause);
  const first =
    status === 503 ? `the keys of ${config.issuer} cannot be fetched: ${reason}` : reason;
  const { header, claims } = readable(token) ?? {};
  if (header === undefined || claims === undefined) return [first];
  const algorithms =
    config.secret === undefined ? PUBLIC_KEY_ALGORITHMS : sharedSecret(config.secret).algorithms;
  const all = [
    first,
    ...headerFaults(header, algorithms),
    ...recipientFaults(claims, config),
    ...caught(() => checkTime(lifetimeOf(claims), Date.now())),
    ...caught(() => subjectsOf(config)(claims.sub)),
  ];
  return [...new Set(all)].map(withRemedy);
}

function caught(check: () => unknown): readonly string[] {
  try {
    check();
    return [];
  } catch (error) {
    return [reasonOf(error)];
  }
}

const withRemedy = (fault: string): string =>
  fault === "sub is not a UUID"
    ? `${fault}: with AUTH_SUB_IS_UUID=false the service makes one of it`
    : fault;

/** Both parts as they stand; nothing is proved. Undefined where they cannot be read. */
function readable(token: string): { header: JsonObject; claims: JsonObject } | undefined {
  try {
    return { header: { ...decodeProtectedHeader(token) }, claims: decodeJwt(token) };
  } catch {
    return undefined;
  }
}

/** What the service looks for, so that its absence shows. */
const EXPECTED = Object.fromEntries(
  ["iss", "aud", "sub", "exp", "email"].map((name) => [name, undefined]),
);

/** All that the token contains, and what the settings or the service make of it. */
function contentOf(
  token: string,
  { issuer, audience, groups }: TokenConfig,
): readonly (readonly [name: string, value: string])[] {
  const { header, claims } = readable(token) ?? {};
  if (header === undefined || claims === undefined) return [];
  const expected = groups ? { ...EXPECTED, [groups.claim]: undefined } : EXPECTED;
  const notes: Readonly<Record<string, (value: unknown) => string>> = {
    ...(groups && { [groups.claim]: groupsNote }),
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
  const all = [...Object.entries(header), ...Object.entries({ ...expected, ...claims })];
  return all.map(([name, value]) => {
    // A claim may have a name that every object has.
    const note = Object.hasOwn(notes, name) ? notes[name]?.(value) : "";
    return [name, `${JSON.stringify(value) ?? "missing"}${note && ` (${note})`}`];
  });
}

const groupsNote = (value: unknown): string =>
  value === undefined || typeof value === "string" || Array.isArray(value)
    ? ""
    : "neither a list nor a text: nobody is in a group";

const timeOf = (seconds: unknown): string =>
  typeof seconds === "number" && Math.abs(seconds) < 8e12
    ? new Date(seconds * 1_000).toISOString()
    : "";

/** The differences between two tokens of one person. A renewal changes times and ids only. */
export function compareTokens(one: string, other: string): readonly string[] {
  const [first, second] = [readable(one)?.claims, readable(other)?.claims];
  if (first === undefined || second === undefined) return [];
  const names = [...new Set([...Object.keys(first), ...Object.keys(second)])];
  const differences = names.filter((name) => written(first, name) !== written(second, name));
  const values = differences.map(
    (name) => [name, `${written(first, name)} and ${written(second, name)}`] as const,
  );
  return [
    "The two tokens differ in:",
    ...table(values),
    differences.includes("sub")
      ? "Their sub differs: the service takes them for two people. If they are one, let the provider give out public subjects, not pairwise ones."
      : "Their sub is the same: the service takes them for one person.",
  ];
}

const written = (claims: JsonObject, name: string): string =>
  JSON.stringify(claims[name]) ?? "missing";
