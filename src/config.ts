/** The only reader of the environment: every setting and its default. */

import { OperatorError } from "./errors/operator-error.ts";
import { type LogLevel, logLevels } from "./log.ts";
import {
  limit,
  longSecret,
  oneOf,
  origins,
  path,
  port,
  postgresUrl,
  providerUrl,
} from "./setting-formats.ts";

/** Whose access tokens are accepted. */
export interface TokenConfig {
  readonly issuer: string;
  readonly audience: string;
  /** Where the issuer's keys are. Unset: where its discovery document says. */
  readonly jwksUrl?: string | undefined;
  /** Selects HS256 with this secret, and no public keys. */
  readonly secret?: string | undefined;
}

export interface RateLimitConfig {
  /** `postgres` where several processes serve one building. */
  readonly store: RateLimitStore;
  /** Requests of one caller to all endpoints. 0 is no limit, here and below. */
  readonly perMinute: number;
  readonly perHour: number;
  /** GET /profile, in addition. */
  readonly profilePerMinute: number;
  readonly profilePerHour: number;
  /** Refused tokens from one client address. */
  readonly refusedTokensPerMinute: number;
}

export interface Config {
  readonly host: string;
  readonly port: number;
  readonly basePath: string;
  /** Unset: the embedded PostgreSQL. */
  readonly databaseUrl?: string | undefined;
  readonly ownerDatabaseUrl?: string | undefined;
  readonly dataDir: string;
  /** Unset: the development identity provider. */
  readonly tokens?: TokenConfig | undefined;
  readonly production: boolean;
  /** The origins whose pages may read our responses. */
  readonly corsOrigins: readonly string[];
  readonly rateLimits: RateLimitConfig;
  /** Whether a proxy of the operator sets X-Forwarded-For. */
  readonly trustProxy: boolean;
  /** Whether clients may read the schema of GraphQL. */
  readonly graphqlIntrospection: boolean;
  readonly logLevel: LogLevel;
}

const rateLimitStores = ["memory", "postgres"] as const;
export type RateLimitStore = (typeof rateLimitStores)[number];

/** @throws OperatorError with every wrong setting and the reason, so that all can be fixed at once */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const problems: string[] = [];

  /** An empty setting counts as unset. `parse` throws the reason for a refusal. */
  function setting<T>(name: string, parse: (value: string) => T): T | undefined {
    const value = env[name]?.trim();
    if (!value) return undefined;
    try {
      return parse(value);
    } catch (error) {
      problems.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  }
  const text = (name: string) => setting(name, (value) => value);
  const need = (name: string, why: string) => {
    if (!env[name]?.trim()) problems.push(`${name}: ${why}`);
  };

  const production = text("NODE_ENV") === "production";
  const databaseUrl = setting("DATABASE_URL", postgresUrl);
  const issuer = setting("AUTH_ISSUER", providerUrl);
  const audience = text("AUTH_AUDIENCE");
  const jwksUrl = setting("AUTH_JWKS_URL", providerUrl);
  const secret = setting("AUTH_JWT_SECRET", longSecret);

  if (production) {
    need("DATABASE_URL", "is required with NODE_ENV=production");
    need("AUTH_ISSUER", "is required with NODE_ENV=production");
  }
  if (issuer !== undefined) {
    need("AUTH_AUDIENCE", "is required with AUTH_ISSUER");
  } else if (!env.AUTH_ISSUER?.trim() && (audience ?? jwksUrl ?? secret) !== undefined) {
    problems.push("AUTH_ISSUER: is required with AUTH_AUDIENCE, AUTH_JWKS_URL or AUTH_JWT_SECRET");
  }
  if (jwksUrl !== undefined && secret !== undefined) {
    problems.push("AUTH_JWT_SECRET: selects HS256 instead of AUTH_JWKS_URL; set one of them");
  }

  const config: Config = {
    host: text("HOST") ?? "127.0.0.1",
    port: setting("PORT", port) ?? 3000,
    basePath: setting("BASE_PATH", path) ?? "/api",
    databaseUrl,
    ownerDatabaseUrl: setting("OWNER_DATABASE_URL", postgresUrl),
    dataDir: text("DATA_DIR") ?? ".data",
    tokens: issuer && audience ? { issuer, audience, jwksUrl, secret } : undefined,
    production,
    corsOrigins: setting("CORS_ORIGINS", origins) ?? [],
    rateLimits: {
      store: setting("RATE_LIMIT_STORE", oneOf(rateLimitStores)) ?? "memory",
      perMinute: setting("RATE_LIMIT_PER_MINUTE", limit) ?? 100,
      perHour: setting("RATE_LIMIT_PER_HOUR", limit) ?? 1000,
      profilePerMinute: setting("PROFILE_RATE_LIMIT_PER_MINUTE", limit) ?? 10,
      profilePerHour: setting("PROFILE_RATE_LIMIT_PER_HOUR", limit) ?? 100,
      refusedTokensPerMinute: setting("REFUSED_TOKEN_RATE_LIMIT_PER_MINUTE", limit) ?? 60,
    },
    trustProxy: setting("TRUST_PROXY", oneOf(["false", "true"])) === "true",
    graphqlIntrospection:
      (setting("GRAPHQL_INTROSPECTION", oneOf(["false", "true"])) ?? String(!production)) ===
      "true",
    logLevel: setting("LOG_LEVEL", oneOf(logLevels)) ?? "info",
  };
  if (problems.length > 0) {
    throw new OperatorError(["The settings are wrong:", ...problems].join("\n  "));
  }
  return config;
}
