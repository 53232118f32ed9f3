/** The only reader of the environment. Every setting, its default and its check stand here. */

export interface TokenConfig {
  readonly issuer: string;
  readonly audience: string;
  readonly jwksUrl?: string | undefined;
  readonly secret?: string | undefined;
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
  readonly logLevel: LogLevel;
}

const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

/** Every setting that is wrong, by name and with the reason, so that all can be mended at once. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(`The settings are wrong:\n${problems.map((problem) => `  ${problem}`).join("\n")}`);
    this.name = "ConfigError";
  }
}

/** @throws ConfigError naming each setting that is wrong */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const problems: string[] = [];

  /** An empty setting counts as unset. `parse` throws the reason for which a value is refused. */
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
  const need = (name: string, value: unknown, why: string) => {
    if (value === undefined && !env[name]?.trim()) problems.push(`${name}: ${why}`);
  };

  const production = text("NODE_ENV") === "production";
  const databaseUrl = setting("DATABASE_URL", postgresUrl);
  const issuer = setting("AUTH_ISSUER", providerUrl);
  const audience = text("AUTH_AUDIENCE");
  const jwksUrl = setting("AUTH_JWKS_URL", providerUrl);
  const secret = setting("AUTH_JWT_SECRET", longSecret);

  if (production) {
    need("DATABASE_URL", databaseUrl, "is required with NODE_ENV=production");
    need("AUTH_ISSUER", issuer, "is required with NODE_ENV=production");
  }
  if (issuer !== undefined) {
    need("AUTH_AUDIENCE", audience, "is required with AUTH_ISSUER");
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
    logLevel: setting("LOG_LEVEL", oneOf(logLevels)) ?? "info",
  };
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

function refuse(why: string): never {
  throw new Error(why);
}

function parseUrl(value: string, example: string): URL {
  return URL.parse(value) ?? refuse(`must be a URL like ${example}`);
}

function postgresUrl(value: string): string {
  const example = "postgres://parking_api:password@host:5432/parking";
  const { protocol } = parseUrl(value, example);
  return /^postgres(ql)?:$/.test(protocol) ? value : refuse(`must be a URL like ${example}`);
}

/** Keys fetched over plain http could be anybody's; on loopback nobody is in between. */
function providerUrl(value: string): string {
  const { protocol, hostname } = parseUrl(value, "https://login.example.org");
  const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  return protocol === "https:" || (protocol === "http:" && loopback)
    ? value
    : refuse("must be https, or http on loopback");
}

function longSecret(value: string): string {
  return Buffer.byteLength(value) >= 32 ? value : refuse("must have at least 32 bytes");
}

function port(value: string): number {
  return /^\d{1,5}$/.test(value) && Number(value) <= 65_535
    ? Number(value)
    : refuse("must be a port number, 0 to 65535");
}

function path(value: string): string {
  return /^(\/[\w-]+)+$/.test(value) ? value : refuse("must be a path like /api");
}

function oneOf<T extends string>(values: readonly T[]): (value: string) => T {
  return (value) =>
    values.find((candidate) => candidate === value) ??
    refuse(`must be one of ${values.join(", ")}`);
}
