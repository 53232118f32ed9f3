/** This is the only file that reads the environment. */

import { OperatorError } from "../errors/operator-error.ts";
import { isLoopbackHost } from "./formats.ts";
import { parseSettings, type TokenConfig } from "./settings.ts";

/** The settings for commands. Undefined means not set and without a default. */
export type Config = Readonly<ReturnType<typeof parseSettings>["config"]>;

export type RateLimitConfig = Readonly<Config["rateLimits"]>;

/** The listener for the operator, separate from the one for people. */
export type AdminConfig = Readonly<NonNullable<Config["admin"]>>;

/** The settings of a service, including whose tokens it accepts. */
export interface ServiceConfig extends Omit<Config, "tokens"> {
  /** `development`: tokens of the identity provider that signs in anybody without a password. */
  readonly tokens: TokenConfig | "development";
}

/**
 * Reads the settings for commands.
 * @throws OperatorError with every wrong setting and the reason, so that all can be fixed at once
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const { config, problems } = parseSettings(env);
  refuseProblems(problems);
  return config;
}

/** Whether a service with these settings can only be one that signs in anybody. */
export const isDevelopment = ({ production, databaseUrl, tokens }: Config): boolean =>
  !production && databaseUrl === undefined && tokens === undefined;

/** Whether the embedded PostgreSQL has the database: not in production, but of a small house. */
export const isEmbedded = ({ production, databaseUrl, signIn }: Config): boolean =>
  databaseUrl === undefined && (!production || signIn === "mail");

/**
 * Reads the settings of a service. Without an issuer the service uses the development sign-in, but
 * only if no other machine and no other database is involved: a forgotten setting must not let
 * anybody in.
 * @throws OperatorError for the same reasons as readConfig
 */
export function readServiceConfig(env: NodeJS.ProcessEnv): ServiceConfig {
  const { config, problems, isSet } = parseSettings(env);
  const { production, host, trustProxy, signIn } = config;
  const isOwn = signIn === "mail";
  const environment = `NODE_ENV=${env.NODE_ENV?.trim()}`;
  if (production && !isSet("DATABASE_URL") && !isOwn) {
    problems.push(`DATABASE_URL: is required with ${environment}`);
  }
  const reasons = [
    ...(production ? [environment] : []),
    ...(isSet("DATABASE_URL") ? ["DATABASE_URL"] : []),
    ...(isLoopbackHost(host) ? [] : [`HOST=${host}`]),
    ...(trustProxy ? ["TRUST_PROXY=true"] : []),
  ];
  if (reasons.length > 0 && !isSet("AUTH_ISSUER") && !isOwn) {
    problems.push(
      `AUTH_ISSUER: is required with ${reasons.join(", ")}; the sign-in without passwords is for development only`,
    );
  }
  refuseProblems(problems);
  return { ...config, tokens: config.tokens ?? "development" };
}

function refuseProblems(problems: readonly string[]): void {
  if (problems.length > 0) {
    throw new OperatorError(["The settings are wrong:", ...problems].join("\n  "));
  }
}
