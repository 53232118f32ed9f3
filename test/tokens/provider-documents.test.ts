import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { createTokenVerifier } from "../../src/tokens/verifier.ts";
import { type KeyServer, startKeyServer } from "../support/key-server.ts";
import { makeKey } from "../support/tokens.ts";
import { AUDIENCE } from "./lab.ts";
import { MINUTE, type Provider, startProvider } from "./provider.ts";

/** The attacker's server, to which a document or a redirect may point. */
const attackerKey = makeKey("ES256", "first");
let elsewhere: KeyServer;
let provider: Provider;
beforeEach(async () => {
  elsewhere = await startKeyServer(attackerKey.publicJwk);
  provider = await startProvider();
});
afterEach(async () => {
  await Promise.all([elsewhere.close(), provider.server.close()]);
  expect(elsewhere.requests).toEqual([]);
});

/** What is changed about a usual answer. */
interface Change {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: (usual: string) => string;
}

/** Changes the provider's answer for one path, and leaves its others as they are. */
function change(path: string, { status = 200, headers = {}, body = String }: Change): void {
  const { origin } = provider.server;
  const metadata = JSON.stringify({ issuer: origin, jwks_uri: `${origin}/jwks` });
  const keys = JSON.stringify({ keys: [provider.key.publicJwk] });
  provider.server.answerWith((request, response) => {
    const usual = request.url === "/jwks" ? keys : metadata;
    if (request.url === path) response.writeHead(status, headers).end(body(usual));
    else response.end(usual);
  });
}

async function expectUnusable(): Promise<void> {
  const { verifier, bearer, key } = provider;
  for (const by of [key, attackerKey]) {
    await expect(verifier.verify(bearer(by))).rejects.toMatchObject({ status: 503 });
  }
}

const DISCOVERY = "/.well-known/openid-configuration";

describe.each([DISCOVERY, "/jwks"])("an answer to %s", (path) => {
  it("that has another length is accepted", async () => {
    change(path, { body: (usual) => usual.padEnd(200 * 1_024) });
    expect(await provider.statusOf(provider.key)).toBe(200);
  });

  it.each<[string, Change]>([
    ["is not found", { status: 404 }],
    ["is an error", { status: 500 }],
    ["is empty", { status: 204, body: () => "" }],
    ["is not JSON", { body: () => "<!doctype html>" }],
    ["is not an object", { body: (usual) => `[${usual}]` }],
    ["is null", { body: () => "null" }],
  ])("that %s is of no use", async (_what, unusual) => {
    change(path, unusual);
    await expectUnusable();
  });

  it.each([301, 302, 303, 307, 308])("with status %i is not followed", async (status) => {
    change(path, { status, headers: { location: `${elsewhere.origin}/jwks` } });
    await expectUnusable();
  });

  it("that is invalid does not replace the keys in use", async () => {
    expect(await provider.statusOf(provider.key)).toBe(200);
    change(path, { body: () => "[]" });
    await provider.passAndRefresh(11 * MINUTE);
    expect(provider.verifier.keyFetches?.failures()).toBe(1);
    expect(await provider.statusOf(provider.key)).toBe(200);
    expect(await provider.statusOf(attackerKey)).toBe(401);
  });
});

describe("a discovery document", () => {
  it.each<[string, (origin: string) => Record<string, unknown>]>([
    [
      "of another issuer",
      (origin) => ({ issuer: "https://evil.example", jwks_uri: `${origin}/jwks` }),
    ],
    ["of a longer issuer", (origin) => ({ issuer: `${origin}/`, jwks_uri: `${origin}/jwks` })],
    ["without an issuer", (origin) => ({ jwks_uri: `${origin}/jwks` })],
    ["without jwks_uri", (issuer) => ({ issuer })],
    ["with jwks_uri null", (issuer) => ({ issuer, jwks_uri: null })],
    [
      "with a jwks_uri over http to a host that is not loopback",
      (issuer) => ({ issuer, jwks_uri: elsewhere.origin.replace("127.0.0.1", "0.0.0.0") }),
    ],
    ["with jwks_uri in a file", (issuer) => ({ issuer, jwks_uri: "file:///etc/passwd" })],
    ["with jwks_uri in itself", (issuer) => ({ issuer, jwks_uri: 'data:,{"keys":[]}' })],
    ["with a relative jwks_uri", (issuer) => ({ issuer, jwks_uri: "/jwks" })],
  ])("%s is of no use", async (_what, metadata) => {
    change(DISCOVERY, { body: () => JSON.stringify(metadata(provider.server.origin)) });
    await expectUnusable();
  });

  it("is found for an issuer that ends in a slash", async () => {
    const issuer = `${provider.server.origin}/`;
    const jwks_uri = `${provider.server.origin}/jwks`;
    change(DISCOVERY, { body: () => JSON.stringify({ issuer, jwks_uri }) });
    const other = await startProvider({ issuer });
    await other.server.close();
    expect(await other.statusOf(provider.key)).toBe(401);
    expect(provider.server.requests).toEqual([DISCOVERY, "/jwks"]);
  });
});

describe("a key set", () => {
  it.each([
    ["without keys", "{}"],
    ["whose keys are an object", '{"keys":{}}'],
    ["whose keys are text", '{"keys":"none"}'],
    ["with a key that is none", '{"keys":[1]}'],
  ])("%s is of no use", async (_what, body) => {
    change("/jwks", { body: () => body });
    await expectUnusable();
  });
});

describe("a setting", () => {
  const settings = { issuer: "https://issuer.example", audience: AUDIENCE };

  it.each([
    "",
    "jwks",
    "/jwks",
    "ftp://issuer.example/jwks",
    "http://issuer.example/jwks",
    "http://localhost.evil.example/jwks",
    "http://127.0.0.1.evil.example/jwks",
    "http://127.0.0.1@evil.example/jwks",
    "http://10.0.0.1/jwks",
    "http://0.0.0.0/jwks",
    "http://[::2]/jwks",
  ])("may not send us to %j for keys", (address) => {
    const jwksUrl = () => createTokenVerifier({ ...settings, jwksUrl: address });
    const issuer = () => createTokenVerifier({ ...settings, issuer: address });
    expect(jwksUrl).toThrow("neither an https URL nor");
    expect(issuer).toThrow("neither an https URL nor");
  });

  it.each([
    "https://issuer.example/jwks",
    "http://localhost:4000/jwks",
    "http://127.0.0.1:4000/jwks",
    "http://127.1/jwks",
    "http://[::1]:4000/jwks",
  ])("may send us to %j for keys", (address) => {
    expect(() => createTokenVerifier({ ...settings, jwksUrl: address })).not.toThrow();
    expect(() => createTokenVerifier({ ...settings, issuer: address })).not.toThrow();
  });
});
