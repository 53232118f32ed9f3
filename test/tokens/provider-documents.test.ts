import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { createTokenVerifier } from "../../src/tokens/verifier.ts";
import { type KeyServer, startKeyServer } from "../support/key-server.ts";
import { holdsForAll } from "../support/table.ts";
import { makeKey } from "../support/tokens.ts";
import { AUDIENCE } from "./lab.ts";
import { MINUTE, type Provider, SECOND, startProvider } from "./provider.ts";

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

/** The next fetch of the keys, which is due, gives none: no token is judged by them. */
async function expectUnusable(): Promise<void> {
  const { verifier, bearer, key, server } = provider;
  provider.pass(5 * SECOND);
  const before = server.requests.length;
  for (const by of [key, attackerKey]) {
    await expect(verifier.verify(bearer(by))).rejects.toMatchObject({ status: 503 });
  }
  expect(server.requests.length).toBeGreaterThan(before);
}

const DISCOVERY = "/.well-known/openid-configuration";

describe.each([DISCOVERY, "/jwks"])("an answer to %s", (path) => {
  it("that has another length is accepted", async () => {
    change(path, { body: (usual) => usual.padEnd(200 * 1_024) });
    expect(await provider.statusOf(provider.key)).toBe(200);
  });

  it("that is no JSON object is of no use, nor is a redirect", () =>
    holdsForAll<Change>(
      [
        { status: 404 },
        { status: 500 },
        { status: 204, body: () => "" },
        { body: () => "<!doctype html>" },
        { body: (usual) => `[${usual}]` },
        { body: () => "null" },
        ...[301, 302, 303, 307, 308].map((status) => ({
          status,
          headers: { location: `${elsewhere.origin}/jwks` },
        })),
      ],
      async (unusual) => {
        change(path, unusual);
        await expectUnusable();
      },
    ));

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
  it("is of no use for another issuer, or without a usable jwks_uri", () => {
    const issuer = provider.server.origin;
    const jwks_uri = `${issuer}/jwks`;
    return holdsForAll<object>(
      [
        { issuer: "https://evil.example", jwks_uri },
        { issuer: `${issuer}/`, jwks_uri },
        { jwks_uri },
        { issuer },
        { issuer, jwks_uri: null },
        // Over http to a host that is not loopback.
        { issuer, jwks_uri: elsewhere.origin.replace("127.0.0.1", "0.0.0.0") },
        { issuer, jwks_uri: "file:///etc/passwd" },
        { issuer, jwks_uri: 'data:,{"keys":[]}' },
        { issuer, jwks_uri: "/jwks" },
      ],
      async (metadata) => {
        change(DISCOVERY, { body: () => JSON.stringify(metadata) });
        await expectUnusable();
      },
    );
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

it("a key set that is no list of keys is of no use", () =>
  holdsForAll(["{}", '{"keys":{}}', '{"keys":"none"}', '{"keys":[1]}'], async (body) => {
    change("/jwks", { body: () => body });
    await expectUnusable();
  }));

describe("a setting", () => {
  const settings = { issuer: "https://issuer.example", audience: AUDIENCE };
  const verifiersOf = (address: string) => [
    () => createTokenVerifier({ ...settings, jwksUrl: address }),
    () => createTokenVerifier({ ...settings, issuer: address }),
  ];

  it("may send us for keys to https and to loopback alone", async () => {
    await holdsForAll(
      [
        ...["", "jwks", "/jwks", "ftp://issuer.example/jwks", "http://issuer.example/jwks"],
        ...["http://localhost.evil.example/jwks", "http://127.0.0.1.evil.example/jwks"],
        ...["http://127.0.0.1@evil.example/jwks", "http://10.0.0.1/jwks", "http://0.0.0.0/jwks"],
        "http://[::2]/jwks",
      ],
      (address) => {
        for (const make of verifiersOf(address)) expect(make).toThrow("neither an https URL nor");
      },
    );
    await holdsForAll(
      [
        ...["https://issuer.example/jwks", "http://localhost:4000/jwks", "http://127.1/jwks"],
        ...["http://127.0.0.1:4000/jwks", "http://[::1]:4000/jwks"],
      ],
      (address) => {
        for (const make of verifiersOf(address)) expect(make).not.toThrow();
      },
    );
  });
});
