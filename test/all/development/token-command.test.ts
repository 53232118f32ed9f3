import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { decodeJwt } from "jose";
import { people } from "../../../src/development/people.ts";
import { environment } from "../../support/environment.ts";
import { makeDataDir } from "../../support/identity-service.ts";

const command = new URL("../../../src/commands/token.ts", import.meta.url).pathname;
let dataDir: string;

beforeAll(async () => {
  dataDir = await makeDataDir();
});

afterAll(() => rm(dataDir, { recursive: true }));

const run = (argument: readonly string[], settings: Record<string, string> = {}) =>
  promisify(execFile)(process.execPath, [command, ...argument], {
    env: { ...environment, DATA_DIR: dataDir, ...settings },
  });

describe("npm run token", () => {
  it.each([
    [{}, "http://127.0.0.1:3000/identity"],
    [{ PORT: "8080" }, "http://127.0.0.1:8080/identity"],
    [{ HOST: "::1" }, "http://[::1]:3000/identity"],
  ])("prints the token of a service with %j, and nothing else", async (settings, issuer) => {
    const { stdout, stderr } = await run([people.maria.email], settings);
    expect(stdout).toMatch(/^[\w.-]+\n$/);
    expect(decodeJwt(stdout.trim())).toMatchObject({
      iss: issuer,
      aud: "parking-api",
      sub: people.maria.id,
    });
    expect(stderr).toBe("");
  });

  it("refuses what is no address, and prints its usage", async () => {
    await expect(run(["maria"])).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('"maria" is not'),
    });
    await expect(run([])).rejects.toMatchObject({
      code: 2,
      stdout: "",
      stderr: "Usage: npm run token -- <email>\n",
    });
  });

  it.each([
    ["with another provider", { AUTH_ISSUER: "https://login.example", AUTH_AUDIENCE: "a" }],
    ["in production", { NODE_ENV: "production" }],
    ["for a service that other machines reach", { HOST: "0.0.0.0" }],
  ])("makes no tokens %s", async (_name, settings) => {
    await expect(run([people.maria.email], settings)).rejects.toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("AUTH_ISSUER"),
    });
  });
});
