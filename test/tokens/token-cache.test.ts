import { afterEach, describe, expect, it } from "@jest/globals";
import type { VerifierOptions } from "../../src/tokens/verifier.ts";
import { makeKey, signToken, usualClaims } from "../support/tokens.ts";
import { AUDIENCE, CALLER, expectRefusal, NOW, NOW_SECONDS, SUB } from "./lab.ts";
import { MINUTE, type Provider, startProvider } from "./provider.ts";

const second = makeKey("ES256", "second");

let provider: Provider;
async function start(settings: Partial<VerifierOptions> = {}): Promise<void> {
  provider = await startProvider(settings);
}
afterEach(() => provider.server.close());

/** A cached token gives the same object; a token that is verified again gives an equal one. */
async function isCached(authorization: string): Promise<boolean> {
  const first = await verify(authorization);
  const again = await verify(authorization);
  expect(again).toEqual(first);
  return first === again;
}

const verify = (authorization: string) => provider.verifier.verify(authorization);

describe("a verified token", () => {
  it("is cached", async () => {
    await start();
    expect(await isCached(provider.bearer(provider.key))).toBe(true);
  });

  it("leaves a full cache when others have been used more recently", async () => {
    await start({ cacheSize: 2 });
    const a = provider.bearer(provider.key);
    const b = provider.bearer(provider.key);
    const c = provider.bearer(provider.key);
    const first = await verify(a);
    const other = await verify(b);
    expect(await verify(a)).toBe(first);
    await verify(c);
    expect(await verify(a)).toBe(first);
    expect(await verify(b)).not.toBe(other);
  });

  it("is recognised by all of it, the signature included", async () => {
    await start();
    const authorization = provider.bearer(provider.key);
    await verify(authorization);
    const forged = authorization.replace(/[^.]+$/, (signature) => "A".repeat(signature.length));
    await expectRefusal(provider.verifier, forged, /verification/);
  });

  it("is refused once it has expired", async () => {
    await start();
    const claims = { ...usualClaims(provider.server.origin, AUDIENCE, NOW), sub: SUB };
    const token = signToken(provider.key, { ...claims, exp: NOW_SECONDS + 60 });
    expect(await isCached(`Bearer ${token}`)).toBe(true);
    provider.pass(64_999);
    await expect(verify(`Bearer ${token}`)).resolves.toEqual(CALLER);
    provider.pass(1);
    await expectRefusal(provider.verifier, `Bearer ${token}`, /expired/);
  });

  it("is refused when the clock goes back to before its time", async () => {
    await start();
    const claims = { ...usualClaims(provider.server.origin, AUDIENCE, NOW), sub: SUB };
    const token = signToken(provider.key, { ...claims, nbf: NOW_SECONDS });
    expect(await isCached(`Bearer ${token}`)).toBe(true);
    provider.pass(-5_001);
    await expectRefusal(provider.verifier, `Bearer ${token}`, /not valid yet/);
  });
});

describe("a cached token", () => {
  it("is verified again when the keys were fetched", async () => {
    await start();
    const authorization = provider.bearer(provider.key);
    const first = await verify(authorization);
    await provider.passAndRefresh(5 * MINUTE);
    const second = await verify(authorization);
    expect(second).toEqual(first);
    expect(second).not.toBe(first);
    expect(await verify(authorization)).toBe(second);
    expect(provider.fetches()).toBe(2);
  });

  it("is not valid for longer than its key", async () => {
    await start();
    const authorization = provider.bearer(provider.key);
    await verify(authorization);
    provider.server.publish(second.publicJwk);
    await provider.passAndRefresh(5 * MINUTE);
    await expectRefusal(provider.verifier, authorization, /no applicable key/);
  });

  it("is served without a wait while the provider hangs", async () => {
    await start();
    const authorization = provider.bearer(provider.key);
    const first = await verify(authorization);
    provider.server.answerWith(() => {});
    void provider.passAndRefresh(6 * MINUTE);
    expect(await verify(authorization)).toBe(first);
  });
});
