import { decodeJwt, decodeProtectedHeader } from "jose";
import type { TokenConfig } from "../config.ts";
import { OperatorError } from "../errors/operator-error.ts";
import { Problem } from "../errors/problem.ts";
import type { Identity } from "./identity.ts";
import { createTokenVerifier } from "./verifier.ts";

/**
 * Says who the caller with this token is to a service with these settings.
 * @throws OperatorError that says why the token is refused, and what it contains
 */
export async function explainToken(token: string, config: TokenConfig): Promise<string> {
  const identity = await createTokenVerifier(config)
    .verify(`Bearer ${token}`)
    .catch((error) => {
      throw error instanceof Problem ? new OperatorError(refusalOf(error, token, config)) : error;
    });
  return ["The service accepts this token.", ...table(callerOf(identity))].join("\n");
}

type Line = readonly [name: string, value: string];

const table = (lines: readonly Line[]): readonly string[] =>
  lines.map(([name, value]) => `  ${name.padEnd(20)} ${value}`);

function callerOf({ sub, email, email_confirmed_at, email_verified }: Identity): readonly Line[] {
  const confirmed = email_confirmed_at !== undefined || email_verified === true;
  return [
    ["caller", sub],
    [
      "email",
      email === undefined
        ? "missing: POST /profile is refused without one"
        : `${email}, ${confirmed ? "confirmed" : "not confirmed"}`,
    ],
  ];
}

function refusalOf(error: Problem, token: string, config: TokenConfig): string {
  const reason = error.cause instanceof Error ? error.cause.message : String(error.cause);
  if (error.status === 503) return `The keys of AUTH_ISSUER cannot be fetched: ${reason}`;
  const lines = table(contentOf(token, config));
  return [`The service refuses this token: ${reason}`, ...lines].join("\n");
}

/** What the token contains, and what the settings expect; nothing where it cannot be read. */
function contentOf(token: string, { issuer, audience }: TokenConfig): readonly Line[] {
  const expected: Readonly<Record<string, string>> = {
    iss: ` (AUTH_ISSUER is ${issuer})`,
    aud: ` (AUTH_AUDIENCE is ${audience})`,
  };
  try {
    const { alg, kid, typ } = decodeProtectedHeader(token);
    const { iss, aud, sub, exp, email, email_verified } = decodeJwt(token);
    const fields = { alg, kid, typ, iss, aud, sub, exp, email, email_verified };
    return Object.entries(fields).map(([name, value]) => [
      name,
      `${JSON.stringify(value) ?? "missing"}${expected[name] ?? (name === "exp" ? timeOf(value) : "")}`,
    ]);
  } catch {
    return [];
  }
}

const timeOf = (seconds: unknown): string =>
  typeof seconds === "number" && Math.abs(seconds) < 8e12
    ? ` (${new Date(seconds * 1_000).toISOString()})`
    : "";
