/** Every setting: its name, what it is for, its form and its default. */

import { reasonOf } from "../errors/reason.ts";
import { logLevels } from "../log/logger.ts";
import {
  basePath,
  contact,
  flag,
  limit,
  longSecret,
  oneOf,
  origins,
  port,
  postgresUrl,
  providerUrl,
  type SettingFormat,
  text,
} from "./formats.ts";
import { type GroupsConfig, groupSettings } from "./groups.ts";
import { mailSettings } from "./mail.ts";
import { mailWeb, ownProblems, ownTokens } from "./own-issuer.ts";
import { rateLimitSettings } from "./rate-limits.ts";

/** The issuer whose access tokens are accepted. */
export interface TokenConfig {
  readonly issuer: string;
  readonly audience: string;
  readonly jwksUrl?: string | undefined;
  readonly secret?: string | undefined;
  readonly subIsUuid?: boolean;
  readonly groups?: GroupsConfig | undefined;
}

/** How the page signs people in at the issuer. */
export interface WebConfig {
  readonly clientId: string;
  readonly scopes: string;
  readonly audience?: string | undefined;
  readonly resource?: string | undefined;
  readonly signIn?: "mail";
}

/** A line of docs/settings.md. */
export interface SettingDescription {
  readonly name: string;
  readonly form: string;
  readonly default: unknown;
  readonly about: string;
}

/** The address and the folder of a service unless the settings say otherwise. */
export const defaults = { host: "127.0.0.1", port: 3000, dataDir: ".data" };

/** Each of these settings is required if one of its list is set, which means nothing without it. */
const REQUIRED_WITH = {
  AUTH_AUDIENCE: ["AUTH_ISSUER"],
  AUTH_ISSUER: [
    "AUTH_AUDIENCE",
    "AUTH_JWKS_URL",
    "AUTH_JWT_SECRET",
    "AUTH_SUB_IS_UUID",
    "AUTH_GROUPS_CLAIM",
    "WEB_CLIENT_ID",
  ],
  AUTH_GROUPS_CLAIM: ["AUTH_APPROVED_GROUP", "AUTH_ADMIN_GROUP", "AUTH_CONCIERGE_GROUP"],
  WEB_CLIENT_ID: ["WEB_SCOPES", "WEB_AUDIENCE", "WEB_RESOURCE"],
  SMTP_URL: ["MAIL_FROM"],
  MAIL_FROM: ["SMTP_URL"],
  PUBLIC_URL: ["SMTP_URL"],
};

/** Every setting, in the order in which it is read. */
export const describeSettings = (): readonly SettingDescription[] => parseSettings({}).descriptions;

/** The settings of an environment, and the problems in them. */
export function parseSettings(env: NodeJS.ProcessEnv) {
  const problems: string[] = [];
  const descriptions: SettingDescription[] = [];
  const isSet = (name: string): boolean => Boolean(env[name]?.trim());

  /** An empty setting counts as unset. */
  function setting<T>(name: string, format: SettingFormat<T>, about: string, otherwise: T): T;
  function setting<T>(name: string, format: SettingFormat<T>, about: string): T | undefined;
  function setting<T>(
    name: string,
    { form, read }: SettingFormat<T>,
    about: string,
    otherwise?: T,
  ) {
    descriptions.push({ name, form, default: otherwise, about });
    const value = env[name]?.trim();
    if (!value) return otherwise;
    try {
      return read(value);
    } catch (error) {
      problems.push(`${name}: ${reasonOf(error)}`);
      return otherwise;
    }
  }

  const environment = setting(
    "NODE_ENV",
    text,
    "all but `development` and `test` is production",
    "development",
  );
  const production = !["development", "test"].includes(environment);

  const listening = {
    host: setting("HOST", text, "where to listen", defaults.host),
    port: setting("PORT", port, "where to listen; 0 is any free port", defaults.port),
    basePath: setting("BASE_PATH", basePath, "below it is the API", "/api"),
  };
  const postgres = postgresUrl(env);
  const databases = {
    databaseUrl: setting(
      "DATABASE_URL",
      postgres,
      "logs in as `parking_api`; without it, the embedded PostgreSQL. `?sslmode=verify-full` encrypts the connection ([TLS](operations.md#tls-to-the-database)). Where there are several servers, it names what leads to the primary ([failover](scaling.md#failover))",
    ),
    preparedStatements: setting(
      "PREPARED_STATEMENTS",
      flag,
      "`false` where `DATABASE_URL` leads to a PgBouncer in transaction mode older than 1.21, or without `max_prepared_statements`",
      true,
    ),
    ownerDatabaseUrl: setting(
      "OWNER_DATABASE_URL",
      postgres,
      "logs in as `parking_owner`, for `npm run migrate`, `npm run admin` and `npm run erase`; without it, the embedded PostgreSQL",
    ),
    clusterDatabaseUrl: setting(
      "CLUSTER_DATABASE_URL",
      postgres,
      "logs in as a role that may create databases and roles, for `npm run building` ([many buildings](buildings.md))",
    ),
    dataDir: setting("DATA_DIR", text, "where the embedded PostgreSQL lives", defaults.dataDir),
  };

  const signIn = setting(
    "SIGN_IN",
    oneOf(["provider", "mail"]),
    "`mail`: people type a code from a mail, and no identity provider is needed ([sign-in by mail](sign-in-by-mail.md))",
    "provider",
  );
  const identitySecret = setting(
    "IDENTITY_SECRET",
    longSecret,
    "for `SIGN_IN=mail`: encrypts the keys that sign tokens, and signs cookies; the same for all processes. Without it and without `DATABASE_URL`, one is made and kept in `DATA_DIR`",
  );
  const issuer = setting(
    "AUTH_ISSUER",
    providerUrl,
    "who issues the tokens; without it, a development identity provider ([identity providers](identity-providers.md))",
  );
  const audience = setting("AUTH_AUDIENCE", text, "for whom the tokens are issued");
  const issued = {
    jwksUrl: setting(
      "AUTH_JWKS_URL",
      providerUrl,
      "the issuer's keys; unset: where its discovery document says",
    ),
    secret: setting("AUTH_JWT_SECRET", longSecret, "selects HS256 instead of keys"),
    subIsUuid: setting(
      "AUTH_SUB_IS_UUID",
      flag,
      "`false` where the issuer's `sub` is no UUID: one is made from the issuer and `sub` ([identity providers](identity-providers.md))",
      true,
    ),
  };
  if (issued.jwksUrl !== undefined && issued.secret !== undefined) {
    problems.push("AUTH_JWT_SECRET: selects HS256 instead of AUTH_JWKS_URL; set one of them");
  }
  const groups = groupSettings(setting, problems);
  const tokens: TokenConfig | undefined =
    issuer && audience ? { issuer, audience, ...issued, groups } : undefined;

  const clientId = setting(
    "WEB_CLIENT_ID",
    text,
    "the client id, at the issuer, of the page at `/`; without it there is no page, but in development the page has its own",
  );
  const asking = {
    scopes: setting(
      "WEB_SCOPES",
      text,
      'the scopes that the page asks for, quoted for a shell: `"openid email"`; with `offline_access` it renews its tokens without a reload where the issuer allows it',
      "openid",
    ),
    audience: setting("WEB_AUDIENCE", text, "sent as `audience`, where the issuer needs it"),
    resource: setting(
      "WEB_RESOURCE",
      text,
      "sent as `resource` (RFC 8707), where the issuer needs it",
    ),
  };
  const web: WebConfig | undefined = clientId ? { clientId, ...asking } : undefined;

  const adminPort = setting(
    "ADMIN_PORT",
    port,
    "metrics for Prometheus at `/metrics` on this port; without it there are none",
  );
  const adminHost = setting(
    "ADMIN_HOST",
    text,
    "where `ADMIN_PORT` listens; another address only in a private network",
    defaults.host,
  );
  const admin = adminPort === undefined ? undefined : { host: adminHost, port: adminPort };

  const mail = mailSettings(setting);
  const isOwn = signIn === "mail";
  const accepted: TokenConfig | undefined = isOwn && mail ? ownTokens(mail.publicUrl) : tokens;
  if (isOwn) problems.push(...ownProblems(isSet));

  const config = {
    ...listening,
    ...databases,
    signIn,
    identitySecret,
    tokens: accepted,
    web: isOwn ? mailWeb : web,
    admin,
    mail,
    pushContact: setting(
      "PUSH_CONTACT",
      contact,
      "whom the push services of browsers may write to about our pushes; with it people can get messages at once on their devices, without it there are none ([Push](operations.md#push))",
    ),
    production,
    corsOrigins: setting(
      "CORS_ORIGINS",
      origins,
      "whose pages may read our responses; in development, web apps on this machine may too",
      [],
    ),
    rateLimits: rateLimitSettings(setting),
    graphqlIntrospection: setting(
      "GRAPHQL_INTROSPECTION",
      flag,
      "whether clients may read the schema of GraphQL; in production `false` unless set",
      !production,
    ),
    jobs: setting(
      "JOBS",
      oneOf(["on", "off"]),
      "`off`: this process leaves what is due by the clock, mails and deliveries to others; one has to do them, such as `npm run jobs -- run`",
      "on",
    ),
    trustProxy: setting("TRUST_PROXY", flag, "behind a proxy that sets `X-Forwarded-For`", false),
    logLevel: setting("LOG_LEVEL", oneOf(logLevels), "JSON lines on standard output", "info"),
    slowStatementMilliseconds: setting(
      "SLOW_STATEMENT_MILLISECONDS",
      limit,
      "the log names statements that take as long; 0 turns it off",
      1000,
    ),
  };

  for (const [name, others] of Object.entries(REQUIRED_WITH)) {
    const reasons = others.filter(isSet);
    if (!isSet(name) && reasons.length > 0) {
      problems.push(`${name}: is required with ${reasons.join(", ")}`);
    }
  }
  return { config, problems, descriptions, isSet };
}
