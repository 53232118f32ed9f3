import type { RequestListener } from "node:http";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { within } from "../../support/effort.ts";
import { makeKey } from "../../support/tokens.ts";
import { until } from "../../support/waiting.ts";
import { durationOf, MINUTE, type Provider, SECOND, startProvider } from "../../tokens/provider.ts";

const second = makeKey("ES256", "second");

const failing: RequestListener = (_request, response) => {
  response.statusCode = 500;
  response.end();
};
const hangingUp: RequestListener = (request) => request.socket.destroy();
/** How many requests of this test hung until the service gave them up. */
let hung = { givenUp: 0 };
const hanging: RequestListener = (request) => {
  const mine = hung;
  request.socket.once("close", () => {
    mine.givenUp += 1;
  });
};

let provider: Provider;
beforeEach(async () => {
  hung = { givenUp: 0 };
  provider = await startProvider();
});
afterEach(() => provider.server.close());

describe.each([
  ["fails", failing],
  ["hangs up", hangingUp],
])("a provider that %s", (_how, outage) => {
  it("does no harm while its keys are known, and is asked once a minute", async () => {
    expect(await provider.statusOf(provider.key)).toBe(200);
    provider.server.answerWith(outage);
    for (let minute = 0; minute < 60; minute += 1) {
      await provider.passAndRefresh(MINUTE);
      expect(await provider.statusOf(provider.key)).toBe(200);
    }
    expect(provider.server.requests).toHaveLength(2 + 56);
  });

  it("makes the service unavailable to an unknown key, which may be new, and to no other", async () => {
    expect(await provider.statusOf(provider.key)).toBe(200);
    provider.server.answerWith(outage);
    provider.pass(5 * SECOND);
    await expect(provider.verifier.verify(provider.bearer(second))).rejects.toMatchObject({
      status: 503,
      headers: { "Retry-After": "5" },
      cause: expect.stringMatching(/no key of AUTH_ISSUER fits/),
    });
    expect(await provider.statusOf(provider.key)).toBe(200);

    provider.server.publish(second.publicJwk);
    provider.server.answerWith();
    provider.pass(5 * SECOND);
    expect(await provider.statusOf(second)).toBe(200);
  });

  it("makes the service unavailable while there are no keys", async () => {
    provider.server.answerWith(outage);
    await expect(provider.verifier.verify(provider.bearer(provider.key))).rejects.toMatchObject({
      name: "Problem",
      status: 503,
      message: "Service unavailable",
      headers: { "Retry-After": expect.stringMatching(/^\d+$/) },
      cause: { message: expect.any(String) },
    });
  });

  it("is asked every 5 seconds while there are no keys", async () => {
    provider.server.answerWith(outage);
    for (let second = 0; second < 25; second += 1) {
      const crowd = Array.from({ length: 20 }, () => provider.statusOf(provider.key));
      expect(new Set(await Promise.all(crowd))).toEqual(new Set([503]));
      provider.pass(SECOND);
    }
    expect(provider.server.requests).toHaveLength(5);
    provider.server.answerWith();
    expect(await provider.statusOf(provider.key)).toBe(200);
  });
});

describe("a provider that hangs", () => {
  it("makes no request wait that has a known key", async () => {
    expect(await provider.statusOf(provider.key)).toBe(200);
    provider.server.answerWith(hanging);
    const refreshed = provider.passAndRefresh(10 * MINUTE);
    await asked(3);
    await expectServed();
    expect(hung.givenUp).toBe(0);
    await refreshed;
    await until("the end of the request that hung", () => hung.givenUp === 1);
  });

  it("is asked once at a time", async () => {
    provider.server.answerWith(hanging);
    const first = provider.statusOf(provider.key);
    await asked(1);
    provider.pass(6 * SECOND);
    const second = provider.statusOf(provider.key);
    await setTimeout(100);
    expect(provider.server.requests).toHaveLength(1);
    await provider.server.close();
    expect(await Promise.all([first, second])).toEqual([503, 503]);
  });

  it.each<[string, RequestListener]>([
    ["before its answer", hanging],
    ["in the middle of it", (_request, response) => response.write('{"issuer":')],
  ])("%s makes the service unavailable after 5 seconds", async (_when, outage) => {
    provider.server.answerWith(outage);
    const status = provider.statusOf(provider.key);
    const waited = await durationOf(status);
    expect(waited).toBeGreaterThan(4_000);
    expect(waited).toBeLessThan(within(9_000));
    expect(await status).toBe(503);
  });
});

/** Waits until the provider was asked as often; it is asked beside the requests. */
const asked = (times: number): Promise<void> =>
  until(`${times} requests to the provider`, async () => provider.server.requests.length === times);

async function expectServed(): Promise<void> {
  expect(await provider.statusOf(provider.key)).toBe(200);
}
