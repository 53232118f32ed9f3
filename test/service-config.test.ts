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

  it("may have any host and database with an issuer", () => {
    const settings = { NODE_ENV: "production", HOST: "0.0.0.0", DATABASE_URL: databaseUrl };
    const { tokens, production } = readServiceConfig({ ...settings, ...issuer });

    expect(tokens).toEqual({ issuer: issuer.AUTH_ISSUER, audience: "parking", subIsUuid: true });
    expect(production).toBe(true);
  });
});
