import { generateKeyPairSync } from "node:crypto";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose";
import { developmentToken } from "../../../src/development/access-token.ts";
import { people } from "../../../src/development/people.ts";
import { loadSigningKey } from "../../../src/development/signing-key.ts";
import { readJson } from "../../support/browser.ts";
import { makeDataDir, startIdentityService } from "../../support/identity-service.ts";

let dataDir: string;
let file: string;

beforeEach(async () => {
  dataDir = await makeDataDir();
  file = join(dataDir, "identity-key.pem");
});

afterEach(() => rm(dataDir, { recursive: true }));

describe("the signing key", () => {
  it("is made once, readable only by its owner", async () => {
    const folder = join(dataDir, "not", "there", "yet");
    const made = await loadSigningKey(folder);
    expect(await loadSigningKey(folder)).toEqual(made);
    expect((await stat(join(folder, "identity-key.pem"))).mode & 0o777).toBe(0o600);
  });

  it("is the same for all who make it at the same time", async () => {
    const keys = await Promise.all([1, 2, 3].map(() => loadSigningKey(dataDir)));
    expect(new Set(keys.map(({ kid }) => kid)).size).toBe(1);
    expect(await readdir(dataDir)).toEqual(["identity-key.pem"]);
  });

  it("verifies tokens that are older than the service", async () => {
    const email = people.maria.email;
    const origin = "http://127.0.0.1:3000";
    const token = await developmentToken(email, { dataDir, origin });
    const service = await startIdentityService({ dataDir });
    const keys = await readJson<JSONWebKeySet>(await fetch(`${service.issuer}/jwks`));
    await service.stop();
    expect((await jwtVerify(token, createLocalJWKSet(keys))).payload).toMatchObject({ email });
  });

  const other = generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" });
  it.each([
    ["is broken off", (text: string) => text.slice(0, 100)],
    ["is empty", () => ""],
    ["is of another kind", () => String(other)],
  ])("is refused by the name of its file when it %s", async (_name, spoil) => {
    await loadSigningKey(dataDir);
    const spoilt = spoil(await readFile(file, "utf8"));
    await writeFile(file, spoilt);
    await expect(loadSigningKey(dataDir)).rejects.toThrow(`${file} does not hold an RSA`);
    expect(await readFile(file, "utf8")).toBe(spoilt);
  });
});
