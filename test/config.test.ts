import { describe, expect, it } from "@jest/globals";
import { type Config, readConfig, readServiceConfig } from "../src/config/config.ts";
import { misspeltSettings } from "../src/config/misspelt.ts";
import { databaseUrl, issuer, problemsOf } from "./support/settings.ts";
import { holdsForAll } from "./support/table.ts";

const secret = "0123456789abcdef0123456789abcdef";

const defaults: Config = {
  host: "127.0.0.1",
  port: 3000,
  basePath: "/api",
  databaseUrl: undefined,
  ownerDatabaseUrl: undefined,
  clusterDatabaseUrl: undefined,
  dataDir: ".data",
  signIn: "provider",
  identitySecret: undefined,
  tokens: undefined,
  production: false,
  corsOrigins: [],
  rateLimits: {
    store: "memory",
    perMinute: 100,
    perHour: 1000,
    profilePerMinute: 10,
    profilePerHour: 100,
    keyPerMinute: 300,
    keyPerHour: 10_000,
    refusedTokensPerMinute: 60,
  },
  web: undefined,
  preparedStatements: true,
  jobs: "on",
  trustProxy: false,
  graphqlIntrospection: true,
  logLevel: "info",
  slowStatementMilliseconds: 1000,
  admin: undefined,
  mail: undefined,
  pushContact: undefined,
};

const names = `
  HOST PORT BASE_PATH DATABASE_URL PREPARED_STATEMENTS OWNER_DATABASE_URL
  CLUSTER_DATABASE_URL DATA_DIR NODE_ENV LOG_LEVEL
  AUTH_ISSUER AUTH_AUDIENCE AUTH_JWKS_URL AUTH_JWT_SECRET AUTH_SUB_IS_UUID AUTH_GROUPS_CLAIM
  AUTH_APPROVED_GROUP AUTH_ADMIN_GROUP AUTH_CONCIERGE_GROUP CORS_ORIGINS TRUST_PROXY
  RATE_LIMIT_PER_MINUTE RATE_LIMIT_PER_HOUR RATE_LIMIT_STORE PROFILE_RATE_LIMIT_PER_MINUTE
  KEY_RATE_LIMIT_PER_MINUTE KEY_RATE_LIMIT_PER_HOUR
  GRAPHQL_INTROSPECTION PROFILE_RATE_LIMIT_PER_HOUR REFUSED_TOKEN_RATE_LIMIT_PER_MINUTE
  WEB_CLIENT_ID WEB_SCOPES WEB_AUDIENCE WEB_RESOURCE ADMIN_HOST ADMIN_PORT
  SLOW_STATEMENT_MILLISECONDS SMTP_URL MAIL_FROM PUBLIC_URL PUSH_CONTACT SIGN_IN IDENTITY_SECRET`
  .trim()
  .split(/\s+/);

it("PUSH_CONTACT is a mail address or a page, as a URL", () => {
  for (const value of ["mailto:parking@example.org", "https://example.org/contact"])
    expect(readConfig({ PUSH_CONTACT: value }).pushContact).toBe(value);
  for (const value of ["parking@example.org", "http://example.org", "mailto:parking"])
    expect(() => readConfig({ PUSH_CONTACT: value })).toThrow(/PUSH_CONTACT: must be mailto:/);
});

describe("mail", () => {
  const mail = {
    SMTP_URL: "smtp://ann:hush@mail.example.org:587",
    MAIL_FROM: "Parking <parking@example.org>",
    PUBLIC_URL: "https://parking.example.org",
  };

  it("is sent where all three settings are there", () => {
    expect(readConfig(mail).mail).toEqual({
      server: {
        secure: false,
        hostname: "mail.example.org",
        port: 587,
        user: "ann",
        password: "hush",
      },
      from: { name: "Parking", address: "parking@example.org" },
      publicUrl: mail.PUBLIC_URL,
    });
    expect(readConfig({ ...mail, MAIL_FROM: "a@b.example" }).mail?.from).toEqual({
      name: "",
      address: "a@b.example",
    });
  });

  it.each([
    ["MAIL_FROM", { MAIL_FROM: "" }, "SMTP_URL"],
    ["PUBLIC_URL", { PUBLIC_URL: "" }, "SMTP_URL"],
    ["SMTP_URL", { SMTP_URL: "" }, "MAIL_FROM"],
  ])("needs %s", (name, without, other) => {
    expect(problemsOf({ ...mail, ...without })).toEqual([`${name}: is required with ${other}`]);
  });

  it.each([
    ["smtp://an%40n:50%25off@mail.example.org", { user: "an@n", password: "50%off", port: 587 }],
    ["smtps://mail.example.org", { secure: true, user: "", password: "", port: 465 }],
    ["smtp://[::1]:25", { hostname: "::1", port: 25 }],
  ])("goes to the server of %s", (SMTP_URL, server) => {
    expect(readConfig({ ...mail, SMTP_URL }).mail?.server).toMatchObject(server);
  });

  it.each([
    [
      "SMTP_URL",
      [
        ...["mail.example.org", "https://mail.example.org", "smtp://ann:50%off@mail.example.org"],
        ...["smtp://an%n:hush@mail.example.org", "smtp://ann:hush#1@mail.example.org"],
        "smtp://mail.example.org/?tls.rejectUnauthorized=false",
      ],
    ],
    ["MAIL_FROM", ["parking", "a@b.example, c@d.example", "Parking <a@b.example> <c@d.example>"]],
    ["PUBLIC_URL", ["http://parking.example.org", "https://parking.example.org/app"]],
  ])("is refused with another %s", (name, values) =>
    holdsForAll(values, (value) =>
      expect(problemsOf({ ...mail, [name]: value })).toEqual([
        expect.stringMatching(`^${name}: must be`),
      ]),
    ),
  );
});

describe("without settings", () => {
  it("there are defaults", () => {
    expect(readConfig({})).toEqual(defaults);
  });

  it.each(["", " ", "\t\n"])("empty ones count as unset: %j", (empty) => {
    const settings = Object.fromEntries(names.map((name) => [name, empty]));

    expect(readConfig(settings)).toEqual(defaults);
  });

  it("others are ignored", () => {
    expect(readConfig({ PATH: "/bin", RATE_LIMIT: "1", rate_limit_per_minute: "1" })).toEqual(
      defaults,
    );
  });
});

describe("a setting is taken:", () => {
  const limits = (changes: Partial<Config["rateLimits"]>): Partial<Config> => ({
    rateLimits: { ...defaults.rateLimits, ...changes },
  });

  const taken: readonly (readonly [name: string, value: string, taken: Partial<Config>])[] = [
    ["HOST", "0.0.0.0", { host: "0.0.0.0" }],
    ["HOST", "::1", { host: "::1" }],
    ["PORT", "0", { port: 0 }],
    ["PORT", "65535", { port: 65_535 }],
    ["PORT", " 8080 ", { port: 8080 }],
    ["BASE_PATH", "/v1/parking-api", { basePath: "/v1/parking-api" }],
    ["DATABASE_URL", databaseUrl, { databaseUrl }],
    ["DATABASE_URL", "postgres://a:p,w@h/p?b=c,d", { databaseUrl: "postgres://a:p,w@h/p?b=c,d" }],
    ["DATABASE_URL", "postgresql:///parking", { databaseUrl: "postgresql:///parking" }],
    ["OWNER_DATABASE_URL", databaseUrl, { ownerDatabaseUrl: databaseUrl }],
    ["CLUSTER_DATABASE_URL", databaseUrl, { clusterDatabaseUrl: databaseUrl }],
    ["PREPARED_STATEMENTS", "false", { preparedStatements: false }],
    ["DATA_DIR", "/var/lib/parking", { dataDir: "/var/lib/parking" }],
    ["CORS_ORIGINS", "https://app.example.org", { corsOrigins: ["https://app.example.org"] }],
    [
      "CORS_ORIGINS",
      "https://a.example, http://localhost:5173,http://[::1]:8080",
      { corsOrigins: ["https://a.example", "http://localhost:5173", "http://[::1]:8080"] },
    ],
    ["RATE_LIMIT_PER_MINUTE", "0", limits({ perMinute: 0 })],
    ["RATE_LIMIT_PER_MINUTE", "7", limits({ perMinute: 7 })],
    ["RATE_LIMIT_PER_HOUR", "999999", limits({ perHour: 999_999 })],
    ["PROFILE_RATE_LIMIT_PER_MINUTE", "7", limits({ profilePerMinute: 7 })],
    ["PROFILE_RATE_LIMIT_PER_HOUR", "7", limits({ profilePerHour: 7 })],
    ["REFUSED_TOKEN_RATE_LIMIT_PER_MINUTE", "7", limits({ refusedTokensPerMinute: 7 })],
    ["RATE_LIMIT_STORE", "memory", limits({ store: "memory" })],
    ["RATE_LIMIT_STORE", "postgres", limits({ store: "postgres" })],
    ["JOBS", "off", { jobs: "off" }],
    ["TRUST_PROXY", "true", { trustProxy: true }],
    ["TRUST_PROXY", "false", { trustProxy: false }],
    ["LOG_LEVEL", "silent", { logLevel: "silent" }],
    ["SLOW_STATEMENT_MILLISECONDS", "0", { slowStatementMilliseconds: 0 }],
    ["ADMIN_PORT", "9464", { admin: { host: "127.0.0.1", port: 9464 } }],
    ["NODE_ENV", "development", { production: false }],
    ["NODE_ENV", "test", { production: false }],
    ["NODE_ENV", "production", { production: true, graphqlIntrospection: false }],
    ["NODE_ENV", "prod", { production: true, graphqlIntrospection: false }],
    ["NODE_ENV", "Development", { production: true, graphqlIntrospection: false }],
  ];

  it("with its value, and all others stay", () =>
    holdsForAll(taken, ([name, value, changes]) =>
      expect(readConfig({ [name]: value })).toEqual({ ...defaults, ...changes }),
    ));

  it.each([
    [{}, {}],
    [{ AUTH_ISSUER: "http://127.0.0.1:8080/realm" }, { issuer: "http://127.0.0.1:8080/realm" }],
    [{ AUTH_ISSUER: "http://localhost:8080" }, { issuer: "http://localhost:8080" }],
    [{ AUTH_ISSUER: "http://[::1]:8080" }, { issuer: "http://[::1]:8080" }],
    [{ AUTH_JWKS_URL: "https://keys.example" }, { jwksUrl: "https://keys.example" }],
    [{ AUTH_JWT_SECRET: secret }, { secret }],
    [{ AUTH_SUB_IS_UUID: "false" }, { subIsUuid: false }],
    [{ AUTH_JWT_SECRET: "ä".repeat(16) }, { secret: "ä".repeat(16) }],
  ])("AUTH_… %j", (settings, taken) => {
    expect(readConfig({ ...issuer, ...settings }).tokens).toEqual({
      issuer: "https://login.example.org",
      audience: "parking",
      subIsUuid: true,
      ...taken,
    });
  });
});

it("the page is signed in to with the scope openid, unless the settings say otherwise", () => {
  expect(readConfig({ ...issuer, WEB_CLIENT_ID: "page" }).web).toEqual({
    clientId: "page",
    scopes: "openid",
    audience: undefined,
    resource: undefined,
  });
  const settings = {
    WEB_SCOPES: "openid offline_access",
    WEB_AUDIENCE: "parking",
    WEB_RESOURCE: "https://parking.example/api",
  };
  expect(readConfig({ ...issuer, WEB_CLIENT_ID: "page", ...settings }).web).toEqual({
    clientId: "page",
    scopes: "openid offline_access",
    audience: "parking",
    resource: "https://parking.example/api",
  });
});

it("the metrics are served to another host where the settings name an address", () => {
  expect(readConfig({ ADMIN_HOST: "10.0.0.7", ADMIN_PORT: "9464" }).admin).toEqual({
    host: "10.0.0.7",
    port: 9464,
  });
});

const ofUrls = "must be a URL like postgres://parking_api:password@host:5432/parking";
const ofHosts = "must name one host, which leads to the primary: docs/scaling.md#failover";
const ofOrigins = "must be origins like https://app.example.org, with commas between them";
const ofLimits = "must be a whole number, 0 to 999999";
const ofPorts = "must be a port number, 0 to 65535";
const ofIssuers = "must be https, or http on loopback";

/** What is said of a setting, and the values of which it is said. */
const refused: readonly (readonly [name: string, why: string, ...values: string[]])[] = [
  ["PORT", ofPorts, "65536", "-1", "80a", "0x50"],
  ["BASE_PATH", "must be a path like /api", "api", "/", "/api/", "/a b", "/:id"],
  ...["/claims", "/find", "/spot", "/spot/A", "/docs", "/livez", "/identity"].map(
    (path) => ["BASE_PATH", `${path} is a page of the service`, path] as const,
  ),
  ["DATABASE_URL", ofUrls, "localhost:5432/parking", "https://db.example/parking", "parking"],
  ["DATABASE_URL", ofUrls, "postgres://ann@a:x/parking"],
  ["DATABASE_URL", ofHosts, "postgres://ann:p,w@a:5432,b:5433/parking"],
  ["DATABASE_URL", ofHosts, "postgres://[::1]:1,[::2]/parking?sslmode=disable"],
  ["DATABASE_URL", ofHosts, "postgres:///parking?host=a,b"],
  ["OWNER_DATABASE_URL", ofHosts, "postgresql://a,b"],
  ["CLUSTER_DATABASE_URL", ofHosts, "postgres://a@b:5432,c:5432/postgres"],
  ["OWNER_DATABASE_URL", ofUrls, "mysql://db.example/parking"],
  ["CLUSTER_DATABASE_URL", ofUrls, "mysql://db.example/parking"],
  ["CORS_ORIGINS", ofOrigins, "*", "null", "app.example.org", "https://app.example.org/"],
  ["CORS_ORIGINS", ofOrigins, "https://app.example.org/app", "https://app.example.org:443"],
  [
    "CORS_ORIGINS",
    ofOrigins,
    "https://APP.example.org",
    "https://*.example.org",
    "ftp://a.example",
  ],
  ["CORS_ORIGINS", ofOrigins, "https://ann:hush@app.example.org", "https://a.example,"],
  ["CORS_ORIGINS", ofOrigins, "https://a.example https://b.example", "https://a.example,b.example"],
  ["RATE_LIMIT_PER_MINUTE", ofLimits, "-1", "1.5", "1e3", "many", "1000000"],
  ["RATE_LIMIT_PER_HOUR", ofLimits, "1000000"],
  ["PROFILE_RATE_LIMIT_PER_MINUTE", ofLimits, "off"],
  ["PROFILE_RATE_LIMIT_PER_HOUR", ofLimits, "Infinity"],
  ["REFUSED_TOKEN_RATE_LIMIT_PER_MINUTE", ofLimits, "NaN"],
  ["RATE_LIMIT_STORE", "must be one of memory, postgres", "redis"],
  ["TRUST_PROXY", "must be one of false, true", "1", "TRUE", "10.0.0.1"],
  ["ADMIN_PORT", ofPorts, "none"],
  ["SLOW_STATEMENT_MILLISECONDS", ofLimits, "1s"],
  ["LOG_LEVEL", "must be one of trace, debug, info, warn, error, fatal, silent", "loud"],
  ["AUTH_ISSUER", ofIssuers, "http://login.example.org", "http://127.0.0.1.example.org"],
  ["AUTH_ISSUER", "must be a URL like https://login.example.org", "login"],
  ["AUTH_JWKS_URL", ofIssuers, "http://keys.example.org", "file:///keys"],
  ["AUTH_JWT_SECRET", "must be a secret of at least 32 bytes", secret.slice(1)],
  ["AUTH_SUB_IS_UUID", "must be one of false, true", "no"],
];

it("a setting is refused, and the reason said", () =>
  holdsForAll(refused, ([name, why, ...values]) =>
    holdsForAll(values, (value) => {
      const others = name.startsWith("AUTH_") ? issuer : {};
      expect(problemsOf({ ...others, [name]: value })).toEqual([`${name}: ${why}`]);
    }),
  ));

describe("settings that need others:", () => {
  const missingIssuer = (name: string) => `AUTH_ISSUER: is required with ${name}`;

  it.each([
    [{ AUTH_ISSUER: issuer.AUTH_ISSUER }, ["AUTH_AUDIENCE: is required with AUTH_ISSUER"]],
    [{ AUTH_AUDIENCE: "parking" }, [missingIssuer("AUTH_AUDIENCE")]],
    [{ AUTH_JWKS_URL: "https://keys.example" }, [missingIssuer("AUTH_JWKS_URL")]],
    [{ AUTH_JWT_SECRET: secret }, [missingIssuer("AUTH_JWT_SECRET")]],
    [
      { ...issuer, AUTH_JWKS_URL: "https://keys.example", AUTH_JWT_SECRET: secret },
      ["AUTH_JWT_SECRET: selects HS256 instead of AUTH_JWKS_URL; set one of them"],
    ],
    [{ AUTH_SUB_IS_UUID: "false" }, [missingIssuer("AUTH_SUB_IS_UUID")]],
    [{ WEB_CLIENT_ID: "page" }, [missingIssuer("WEB_CLIENT_ID")]],
    [
      { ...issuer, WEB_SCOPES: "openid", WEB_RESOURCE: "https://parking.example" },
      ["WEB_CLIENT_ID: is required with WEB_SCOPES, WEB_RESOURCE"],
    ],
  ])("%j", (settings, problems) => {
    expect(problemsOf(settings)).toEqual(problems);
  });
});

it("a command needs no issuer and no DATABASE_URL in production", () => {
  expect(readConfig({ NODE_ENV: "production", OWNER_DATABASE_URL: databaseUrl })).toMatchObject({
    production: true,
    tokens: undefined,
  });
});

describe("all wrong settings", () => {
  it("are reported at once", () => {
    const settings = {
      NODE_ENV: "production",
      PORT: "http",
      ...issuer,
      RATE_LIMIT_PER_HOUR: "few",
      TRUST_PROXY: "yes",
    };
    const problems = problemsOf(settings, readServiceConfig);

    expect(problems.map((problem) => problem.split(":", 1)[0])).toEqual([
      "PORT",
      "RATE_LIMIT_PER_HOUR",
      "TRUST_PROXY",
      "DATABASE_URL",
    ]);
  });

  it("are reported once: a wrong value is not a missing one as well", () => {
    const settings = { NODE_ENV: "production", DATABASE_URL: "db", ...issuer, AUTH_ISSUER: "x" };

    const problems = problemsOf(settings, readServiceConfig);

    expect(problems.map((problem) => problem.split(":", 1)[0])).toEqual([
      "DATABASE_URL",
      "AUTH_ISSUER",
    ]);
  });

  it("are reported without the values, which may be secret", () => {
    const hush = "hush-hush";
    const reported = problemsOf(
      Object.fromEntries(names.map((name) => [name, name === "NODE_ENV" ? "production" : hush])),
      readServiceConfig,
    );

    expect(reported.length).toBeGreaterThan(10);
    expect(reported.join("\n")).not.toContain(hush);
    expect(
      problemsOf({
        ...issuer,
        AUTH_JWT_SECRET: hush,
        DATABASE_URL: `pg://api:${hush}@db/parking`,
      }).join("\n"),
    ).not.toContain(hush);
  });
});

describe("groups of the identity provider", () => {
  const groups = { AUTH_GROUPS_CLAIM: "groups", AUTH_APPROVED_GROUP: "Residents of 5" };

  it("decide what the settings name a group for", () => {
    expect(readConfig({ ...issuer, ...groups }).tokens?.groups).toEqual({
      claim: "groups",
      approved: "Residents of 5",
      admin: undefined,
      concierge: undefined,
    });
    const concierges = { AUTH_GROUPS_CLAIM: "groups", AUTH_CONCIERGE_GROUP: "desk" };
    expect(readConfig({ ...issuer, ...concierges }).tokens?.groups).toMatchObject({
      claim: "groups",
      concierge: "desk",
    });
    expect(readConfig(issuer).tokens?.groups).toBeUndefined();
  });

  it.each([
    [{ ...issuer, AUTH_GROUPS_CLAIM: "groups" }, /AUTH_GROUPS_CLAIM: needs AUTH_APPROVED_GROUP/],
    [{ ...issuer, AUTH_ADMIN_GROUP: "a" }, /AUTH_GROUPS_CLAIM: is required with AUTH_ADMIN_GROUP/],
    [groups, /AUTH_ISSUER: is required with AUTH_GROUPS_CLAIM/],
  ])("are refused where something is missing: %j", (settings, problem) => {
    expect(problemsOf(settings).join("\n")).toMatch(problem);
  });
});

describe("a misspelt setting", () => {
  it.each([
    ["CORS_ORIGIN", "CORS_ORIGINS"],
    ["RATE_LIMIT_PER_MIN", "RATE_LIMIT_PER_MINUTE"],
    ["RATE_LIMT_PER_HOUR", "RATE_LIMIT_PER_HOUR"],
    ["TRUSTPROXY", "TRUST_PROXY"],
    ["trust_proxy", "TRUST_PROXY"],
    ["DATABASE_URI", "DATABASE_URL"],
    ["AUTH_ISSUER_URL", "AUTH_ISSUER"],
  ])("%s is named, as %s", (name, meant) => {
    expect(misspeltSettings({ [name]: "x" })).toEqual([{ name, meant }]);
  });

  it("is one of an earlier version as well, also beside the one that does its work now", () => {
    const name = "READ_DATABASE_URL";
    const found = misspeltSettings({ [name]: "x", DATABASE_URL: databaseUrl });
    expect(found).toEqual([{ name, meant: "DATABASE_URL" }]);
  });

  it("is none where the setting that it is like is there too", () => {
    expect(misspeltSettings({ CORS_ORIGIN: "x", CORS_ORIGINS: "https://a.example" })).toEqual([]);
  });

  it("is no variable of another program", () => {
    const others = `
      PATH HOME HOSTNAME LOGNAME MAIL USER SHELL PWD LANG TERM TZ LC_ALL NODE_COMPILE_CACHE
      NODE_OPTIONS NODE_EXTRA_CA_CERTS PGHOST PGPORT PGUSER PGPASSWORD PGDATABASE PGSSLMODE
      INVOCATION_ID JOURNAL_STREAM SYSTEMD_EXEC_PID CACHE_DIRECTORY NOTIFY_SOCKET MAINPID
      npm_config_prefix npm_package_version npm_lifecycle_event INIT_CWD UV_THREADPOOL_SIZE
      KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT KUBERNETES_PORT HTTP_PROXY HTTPS_PROXY
      NO_PROXY OTEL_SERVICE_NAME OTEL_LOG_LEVEL SSH_CLIENT SUDO_USER XDG_DATA_HOME DEBIAN_FRONTEND`;
    const env = Object.fromEntries(
      others
        .trim()
        .split(/\s+/)
        .map((name) => [name, "x"]),
    );
    expect(misspeltSettings(env)).toEqual([]);
  });
});
