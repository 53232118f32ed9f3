/** The only reader of the environment: every setting and its default. */

import { OperatorError } from "../errors/operator-error.ts";
import { type LogLevel, logLevels } from "../log/logger.ts";
import {
  isLoopbackHost,
  limit,
  longSecret,
  oneOf,
  origins,
  path,
  port,
  postgresUrl,
  providerUrl,
} from "./formats.ts";

/** Whose access tokens are accepted. */
export interface TokenConfig {
  readonly issuer: string;
  readonly audience: string;
  /** Where the issuer's keys are. Unset: where its discovery document says. */
  readonly jwksUrl?: string | undefined;
  /** Selects HS256 with this secret, and no public keys. */
  readonly secret?: string | undefined;
  /** Set to false where the issuer's `sub` is no UUID: one is made from the issuer and `sub`. */
  readonly subIsUuid?: boolean;
}

/** How the page for the people of the building signs them in at the issuer. */
export interface WebConfig {
  readonly clientId: string;
  readonly scopes: string;
  /** What some issuers want to know besides, to issue a token for this API (RFC 8707). */
  readonly audience?: string | undefined;
  readonly resource?: string | undefined;
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
  /** A replica of that database, for the GETs that read. */
  readonly readDatabaseUrl?: string | undefined;
  /** Logs in as a role that may create databases and roles: for `npm run building`. */
  readonly clusterDatabaseUrl?: string | undefined;
  /** False for a PgBouncer that gives each transaction another connection and knows no statements. */
  readonly preparedStatements: boolean;
  readonly dataDir: string;
  readonly tokens?: TokenConfig | undefined;
  /** Unset: there is no page, but the development sign-in brings its own. */
  readonly web?: WebConfig | undefined;
  /** With any NODE_ENV but `development` and `test`, so that a misspelt one is safe. */
  readonly production: boolean;
  /** The origins whose pages may read our responses. */
  readonly corsOrigins: readonly string[];
  readonly rateLimits: RateLimitConfig;
  /** Whether a proxy of the operator sets X-Forwarded-For. */
  readonly trustProxy: boolean;
  /** Whether clients may read the schema of GraphQL. */
  readonly graphqlIntrospection: boolean;
  readonly logLevel: LogLevel;
  /** What counts as long for the statements of a request; 0 names none in the log. */
  readonly slowStatementMilliseconds: number;
  /** Where the metrics are served. Unset: there are none. */
  readonly admin?: AdminConfig | undefined;
}

/** A listener for the operator, beside the one for people. */
export interface AdminConfig {
  readonly host: string;
  readonly port: number;
}

/** The settings of a service. It also knows whose tokens it accepts. */
export interface ServiceConfig extends Omit<Config, "tokens"> {
  /** `development`: those of an identity provider that signs anybody in, without passwords. */
  readonly tokens: TokenConfig | "development";
}

/** Where a service is found unless the settings say otherwise. */
export const defaults = { host: "127.0.0.1", port: 3000, dataDir: ".data" };

/** They mean nothing without AUTH_ISSUER. */
const ISSUER_SETTINGS = [
  "AUTH_AUDIENCE",
  "AUTH_JWKS_URL",
  "AUTH_JWT_SECRET",
  "AUTH_SUB_IS_UUID",
  "WEB_CLIENT_ID",
];

/** They mean nothing without WEB_CLIENT_ID. */
const WEB_SETTINGS = ["WEB_SCOPES", "WEB_AUDIENCE", "WEB_RESOURCE"];

const rateLimitStores = ["memory", "postgres"] as const;
export type RateLimitStore = (typeof rateLimitStores)[number];

/**
 * The settings as commands need them.
 * @throws OperatorError with every wrong setting and the reason, so that all can be fixed at once
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const { config, problems } = parse(env);
  refuseProblems(problems);
  return config;
}

/**
 * The settings of a service. Without an issuer it serves the development sign-in, but only where no
 * other machine and no other database is involved: a forgotten setting must not let anybody in.
 * @throws OperatorError as readConfig does
 */
export function readServiceConfig(env: NodeJS.ProcessEnv): ServiceConfig {
  const { config, problems, isSet } = parse(env);
  const { production, host, trustProxy } = config;
  const environment = `NODE_ENV=${env.NODE_ENV?.trim()}`;
  if (production && !isSet("DATABASE_URL")) {
    problems.push(`DATABASE_URL: is required with ${environment}`);
  }
  const reasons = [
    ...(production ? [environment] : []),
    ...(isSet("DATABASE_URL") ? ["DATABASE_URL"] : []),
    ...(isLoopbackHost(host) ? [] : [`HOST=${host}`]),
    ...(trustProxy ? ["TRUST_PROXY=true"] : []),
  ];
  if (reasons.length > 0 && !isSet("AUTH_ISSUER")) {
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

function parse(env: NodeJS.ProcessEnv) {
  const problems: string[] = [];
  const isSet = (name: string): boolean => Boolean(env[name]?.trim());

  /** An empty setting counts as unset. `read` throws the reason for a refusal. */
  function setting<T>(name: string, read: (value: string) => T): T | undefined {
    const value = env[name]?.trim();
    if (!value) return undefined;
    try {
      return read(value);
    } catch (error) {
      problems.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  }
  const text = (name: string) => setting(name, (value) => value);
  const flag = (name: string) =>
    setting(name, (value) => oneOf(["false", "true"])(value) === "true");

  const production = !["development", "test"].includes(text("NODE_ENV") ?? "development");
  const databaseUrl = setting("DATABASE_URL", postgresUrl);
  const issuer = setting("AUTH_ISSUER", providerUrl);
  const audience = text("AUTH_AUDIENCE");
  const jwksUrl = setting("AUTH_JWKS_URL", providerUrl);
  const secret = setting("AUTH_JWT_SECRET", longSecret);

  const subIsUuid = flag("AUTH_SUB_IS_UUID");

  if (isSet("READ_DATABASE_URL") && !isSet("DATABASE_URL")) {
    problems.push("DATABASE_URL: is required with READ_DATABASE_URL");
  }
  if (issuer !== undefined && !isSet("AUTH_AUDIENCE")) {
    problems.push("AUTH_AUDIENCE: is required with AUTH_ISSUER");
  }
  const lacksIssuer = ISSUER_SETTINGS.filter(isSet);
  if (!isSet("AUTH_ISSUER") && lacksIssuer.length > 0) {
    problems.push(`AUTH_ISSUER: is required with ${lacksIssuer.join(", ")}`);
  }
  if (jwksUrl !== undefined && secret !== undefined) {
    problems.push("AUTH_JWT_SECRET: selects HS256 instead of AUTH_JWKS_URL; set one of them");
  }

  const clientId = text("WEB_CLIENT_ID");
  const lacksClient = WEB_SETTINGS.filter(isSet);
  if (clientId === undefined && lacksClient.length > 0) {
    problems.push(`WEB_CLIENT_ID: is required with ${lacksClient.join(", ")}`);
  }

  const adminPort = setting("ADMIN_PORT", port);
  if (isSet("ADMIN_HOST") && !isSet("ADMIN_PORT")) {
    problems.push("ADMIN_PORT: is required with ADMIN_HOST");
  }

  const config: Config = {
    host: text("HOST") ?? defaults.host,
    port: setting("PORT", port) ?? defaults.port,
    basePath: setting("BASE_PATH", path) ?? "/api",
    databaseUrl,
    ownerDatabaseUrl: setting("OWNER_DATABASE_URL", postgresUrl),
    readDatabaseUrl: setting("READ_DATABASE_URL", postgresUrl),
    clusterDatabaseUrl: setting("CLUSTER_DATABASE_URL", postgresUrl),
    preparedStatements: flag("PREPARED_STATEMENTS") ?? true,
    dataDir: text("DATA_DIR") ?? defaults.dataDir,
    tokens:
      issuer && audience
        ? { issuer, audience, jwksUrl, secret, subIsUuid: subIsUuid ?? true }
        : undefined,
    web: clientId
      ? {
          clientId,
          scopes: text("WEB_SCOPES") ?? "openid",
          audience: text("WEB_AUDIENCE"),
          resource: text("WEB_RESOURCE"),
        }
      : undefined,
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
    trustProxy: flag("TRUST_PROXY") ?? false,
    graphqlIntrospection: flag("GRAPHQL_INTROSPECTION") ?? !production,
    logLevel: setting("LOG_LEVEL", oneOf(logLevels)) ?? "info",
    slowStatementMilliseconds: setting("SLOW_STATEMENT_MILLISECONDS", limit) ?? 1000,
    admin:
      adminPort === undefined
        ? undefined
        : { host: text("ADMIN_HOST") ?? defaults.host, port: adminPort },
  };
  return { config, problems, isSet };
}
