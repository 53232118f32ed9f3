import { describe, expect, it } from "@jest/globals";
import { readServiceConfig } from "../src/config/config.ts";
import { databaseUrl, issuer, problemsOf, type Settings } from "./support/settings.ts";

describe("a service", () => {
  it.each([
    {},
    { HOST: "localhost" },
    { HOST: "::1" },
    { HOST: "127.255.255.255" },
    { NODE_ENV: "development" },
    { NODE_ENV: "test" },
    { TRUST_PROXY: "false" },
  ])("may serve the development sign-in with %j", (settings) => {
    expect(readServiceConfig(settings).tokens).toBe("development");
  });

  const needsDatabase = (environment: string) =>
    `DATABASE_URL: is required with NODE_ENV=${environment}`;
  const needsIssuer = (reason: string) =>
    `AUTH_ISSUER: is required with ${reason}; the sign-in without passwords is for development only`;

  it.each<[Settings, readonly string[]]>([
    [{ DATABASE_URL: databaseUrl }, [needsIssuer("DATABASE_URL")]],
    [{ HOST: "0.0.0.0" }, [needsIssuer("HOST=0.0.0.0")]],
    [{ HOST: "::" }, [needsIssuer("HOST=::")]],
    [{ HOST: "parking.example.org" }, [needsIssuer("HOST=parking.example.org")]],
    // No address, so it is looked up as a name, and the answer may be any address.
    [{ HOST: "127.0.0.256" }, [needsIssuer("HOST=127.0.0.256")]],
    [{ HOST: "127.1" }, [needsIssuer("HOST=127.1")]],
    [{ TRUST_PROXY: "true" }, [needsIssuer("TRUST_PROXY=true")]],
    [{ TRUST_PROXY: "true", HOST: "::" }, [needsIssuer("HOST=::, TRUST_PROXY=true")]],
    [{ DATABASE_URL: databaseUrl, HOST: "0.0.0.0" }, [needsIssuer("DATABASE_URL, HOST=0.0.0.0")]],
    [{ NODE_ENV: "prod", DATABASE_URL: databaseUrl }, [needsIssuer("NODE_ENV=prod, DATABASE_URL")]],
    [{ NODE_ENV: "production", ...issuer }, [needsDatabase("production")]],
    [{ NODE_ENV: "staging" }, [needsDatabase("staging"), needsIssuer("NODE_ENV=staging")]],
  ])("is refused with %j", (settings, problems) => {
    expect(problemsOf(settings, readServiceConfig)).toEqual(problems);
  });

  const byMail = {
    SIGN_IN: "mail",
    IDENTITY_SECRET: "0123456789abcdef0123456789abcdef",
    SMTP_URL: "smtp://mail.example.org",
    MAIL_FROM: "parking@example.org",
    PUBLIC_URL: "https://parking.example.org",
  };

  it.each<Settings>([
    {},
    { IDENTITY_SECRET: "" },
    { DATABASE_URL: databaseUrl },
    { HOST: "0.0.0.0", TRUST_PROXY: "true" },
  ])("may sign people in by mail in production with %j", (settings) => {
    const { tokens, web } = readServiceConfig({ NODE_ENV: "production", ...byMail, ...settings });
    expect(tokens).toEqual({
      issuer: "https://parking.example.org/identity",
      audience: "parking-api",
    });
    expect(web).toEqual({ clientId: "parking-web", scopes: "openid email", signIn: "mail" });
  });

  it("names what the sign-in by mail lacks, and what it has no use for", () => {
    expect(problemsOf({ SIGN_IN: "mail" }, readServiceConfig)).toEqual(
      ["PUBLIC_URL", "SMTP_URL", "MAIL_FROM"].map(
        (name) => `${name}: is required with SIGN_IN=mail`,
      ),
    );
    const withDatabase = { ...byMail, IDENTITY_SECRET: "", DATABASE_URL: databaseUrl };
    expect(problemsOf(withDatabase, readServiceConfig)).toEqual([
      "IDENTITY_SECRET: is required with SIGN_IN=mail and DATABASE_URL",
    ]);
    expect(problemsOf({ ...byMail, ...issuer, WEB_CLIENT_ID: "page" }, readServiceConfig)).toEqual(
      ["AUTH_ISSUER", "AUTH_AUDIENCE", "WEB_CLIENT_ID"].map(
        (name) => `${name}: must not be set with SIGN_IN=mail`,
      ),
    );
    expect(problemsOf({ SIGN_IN: "password" })).toEqual([
      expect.stringMatching(/^SIGN_IN: must be/),
    ]);
    expect(problemsOf({ ...byMail, IDENTITY_SECRET: "short" }, readServiceConfig)).toEqual([
      "IDENTITY_SECRET: must be a secret of at least 32 bytes",
    ]);
  });

  it("may have any host and database with an issuer", () => {
    const settings = { NODE_ENV: "production", HOST: "0.0.0.0", DATABASE_URL: databaseUrl };
    const { tokens, production } = readServiceConfig({ ...settings, ...issuer });

    expect(tokens).toEqual({ issuer: issuer.AUTH_ISSUER, audience: "parking", subIsUuid: true });
    expect(production).toBe(true);
  });
});
