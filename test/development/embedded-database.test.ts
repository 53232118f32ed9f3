import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { readServiceConfig } from "../../src/config.ts";
import { withClient } from "../../src/database/client.ts";
import { findRunningPostgres } from "../../src/embedded/cluster.ts";
import { EMBEDDED_DATABASE } from "../../src/embedded/database.ts";
import { createLogger } from "../../src/log.ts";
import { startService } from "../../src/service.ts";
import { makeDataDir } from "../support/identity-service.ts";

let dataDir: string;
beforeAll(async () => {
  dataDir = await makeDataDir();
});
afterAll(() => rm(dataDir, { recursive: true }));

/** Starts a service on the embedded database, and stops it after `use`. */
async function withService<T>(
  settings: Readonly<Record<string, string>>,
  use: (origin: string) => Promise<T>,
): Promise<T> {
  const config = readServiceConfig({ PORT: "0", DATA_DIR: dataDir, ...settings });
  const service = await startService(config, createLogger("silent"));
  try {
    return await use(service.origin);
  } finally {
    await service.stop();
  }
}

async function administrators(): Promise<readonly string[]> {
  const postgres = await findRunningPostgres(dataDir);
  return withClient(postgres?.url("postgres", EMBEDDED_DATABASE) ?? "", async (client) => {
    const sql = "select email from parking.profiles where is_admin";
    return (await client.query<{ email: string }>(sql)).rows.map(({ email }) => email);
  });
}

const pages = (origin: string) =>
  Promise.all(
    ["/identity/jwks", "/graphiql"].map(async (path) => (await fetch(origin + path)).status),
  );

const issuer = { AUTH_ISSUER: "https://login.example", AUTH_AUDIENCE: "parking" };

/** In this order: a building that was filled stays so. */
describe("on the embedded database", () => {
  it("a service with an issuer has no demo people, and no pages for development", async () => {
    await withService(issuer, async (origin) => {
      expect(await administrators()).toEqual([]);
      expect(await pages(origin)).toEqual([404, 404]);
    });
  });

  it("a service with the development sign-in has both", async () => {
    await withService({}, async (origin) => {
      expect(await administrators()).toEqual(["ada@demo.example"]);
      expect(await pages(origin)).toEqual([200, 200]);
    });
  });
});
