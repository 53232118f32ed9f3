import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { makeKey } from "../support/tokens.ts";
import { MINUTE, type Provider, SECOND, startProvider, statusOf } from "./provider.ts";

const second = makeKey("ES256", "second");
const unknown = makeKey("ES256", "unknown");

let provider: Provider;
beforeEach(async () => {
  provider = await startProvider();
});
afterEach(() => provider.server.close());

/** As many requests at once, each with a token of its own. */
const crowd = (size: number, key = unknown) =>
  Promise.all(Array.from({ length: size }, () => provider.statusOf(key)));

describe("the first keys", () => {
  it("are fetched once for all requests that wait for them", async () => {
    expect(new Set(await crowd(200, provider.key))).toEqual(new Set([200]));
    expect(provider.server.requests).toEqual(["/.well-known/openid-configuration", "/jwks"]);
  });

  it("are not fetched for a token that is invalid under any key", async () => {
    const { verifier } = provider;
    expect(await statusOf(verifier.verify("Bearer nonsense"))).toBe(401);
    expect(await statusOf(verifier.verify("Bearer eyJhbGciOiJub25lIn0.e30."))).toBe(401);
    expect(await statusOf(verifier.verify(undefined))).toBe(401);
    expect(provider.server.requests).toEqual([]);
  });

  it("come from AUTH_JWKS_URL where that is set", async () => {
    const direct = await startProvider({ jwksUrl: `${provider.server.origin}/jwks` });
    await direct.server.close();
    expect(await direct.statusOf(provider.key)).toBe(200);
    expect(provider.server.requests).toEqual(["/jwks"]);
  });
});

describe("a new key", () => {
  it("is accepted within 5 seconds, beside the old one", async () => {
    expect(await provider.statusOf(provider.key)).toBe(200);
    provider.server.publish(provider.key.publicJwk, second.publicJwk);
    provider.pass(5 * SECOND - 1);
    expect(await provider.statusOf(second)).toBe(401);
    provider.pass(1);
    expect(await provider.statusOf(second)).toBe(200);
    expect(await provider.statusOf(provider.key)).toBe(200);
    expect(provider.fetches()).toBe(2);
  });

  it("is found where the issuer has moved its keys to", async () => {
    expect(await provider.statusOf(provider.key)).toBe(200);
    provider.server.answerWith((request, response) => {
      const issuer = provider.server.origin;
      if (request.url === "/jwks") response.statusCode = 404;
      const keys = [second.publicJwk];
      response.end(JSON.stringify({ issuer, jwks_uri: `${issuer}/new-jwks`, keys }));
    });
    provider.pass(5 * SECOND);
    expect(await provider.statusOf(second)).toBe(200);
  });
});

describe("a removed key", () => {
  it("is refused after 5 minutes, also without any request", async () => {
    expect(await provider.statusOf(provider.key)).toBe(200);
    provider.server.publish(second.publicJwk);
    for (let minute = 1; minute < 5; minute += 1) await provider.passAndRefresh(MINUTE);
    expect(await provider.statusOf(provider.key)).toBe(200);
    await provider.passAndRefresh(MINUTE);
    expect(await provider.statusOf(provider.key)).toBe(401);
    expect(provider.fetches()).toBe(2);
  });

  it("is refused as soon as a token of the new one came", async () => {
    expect(await provider.statusOf(provider.key)).toBe(200);
    provider.server.publish(second.publicJwk);
    provider.pass(5 * SECOND);
    expect(await provider.statusOf(second)).toBe(200);
    expect(await provider.statusOf(provider.key)).toBe(401);
  });

  it("is refused although the issuer's old address still serves it", async () => {
    expect(await provider.statusOf(provider.key)).toBe(200);
    provider.server.answerWith((request, response) => {
      const issuer = provider.server.origin;
      const keys = request.url === "/jwks" ? [provider.key.publicJwk] : [second.publicJwk];
      response.end(JSON.stringify({ issuer, jwks_uri: `${issuer}/new-jwks`, keys }));
    });
    await provider.passAndRefresh(5 * MINUTE);
    expect(await provider.statusOf(provider.key)).toBe(401);
    expect(await provider.statusOf(second)).toBe(200);
  });

  it("is refused after the clock was set back", async () => {
    expect(await provider.statusOf(provider.key)).toBe(200);
    provider.server.publish(second.publicJwk);
    await provider.passAndRefresh(-60 * MINUTE);
    expect(await provider.statusOf(provider.key)).toBe(401);
  });
});

describe("a flood of unknown keys", () => {
  it("is refused at once, and costs the provider one fetch in 5 seconds", async () => {
    expect(await provider.statusOf(provider.key)).toBe(200);
    for (let seconds = 0; seconds <= 10; seconds += 1) {
      expect(new Set(await crowd(200))).toEqual(new Set([401]));
      provider.pass(SECOND);
    }
    expect(provider.fetches()).toBe(3);
  });

  it("costs the same before there are any keys", async () => {
    expect(new Set(await crowd(200))).toEqual(new Set([401]));
    expect(provider.server.requests).toHaveLength(2);
  });

  it("does not keep good tokens out", async () => {
    const flood = crowd(200);
    expect(await provider.statusOf(provider.key)).toBe(200);
    await flood;
  });
});
