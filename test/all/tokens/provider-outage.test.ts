import type { RequestListener } from "node:http";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { within } from "../../support/effort.ts";
import { makeKey } from "../../support/tokens.ts";
import { until } from "../../support/waiting.ts";
import {
  durationOf,
  MINUTE,
  type Provider,
  SECOND,
  startProvider,
  statusOf,
} from "../../tokens/provider.ts";

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
  it("does no harm while its keys are known, and is asked twice a minute", async () => {
    expect(await provider.statusOf(provider.key)).toBe(200);
    provider.server.answerWith(outage);
    for (let minute = 0; minute < 60; minute += 0.25) {
      provider.pass(MINUTE / 4);
      expect(await provider.statusOf(provider.key)).toBe(200);
    }
    expect(provider.server.requests.length).toBeLessThanOrEqual(2 + 2 * 60);
  });

  it("is used again within 30 seconds of its return", async () => {
    expect(await provider.statusOf(provider.key)).toBe(200);
    provider.server.answerWith(outage);
    provider.pass(20 * MINUTE);
    expect(await provider.statusOf(provider.key)).toBe(200);
    provider.server.publish(second.publicJwk);
    provider.server.answerWith();
    provider.pass(30 * SECOND);
    expect(await provider.statusOf(second)).toBe(200);
    expect(await provider.statusOf(provider.key)).toBe(401);
  });

  it("is used again by the first request after a minute without requests", async () => {
    expect(await provider.statusOf(provider.key)).toBe(200);
    provider.server.answerWith(outage);
    provider.pass(20 * MINUTE);
    expect(await provider.statusOf(provider.key)).toBe(200);
    provider.server.publish(second.publicJwk);
    provider.server.answerWith();
    provider.pass(MINUTE);
    expect(await provider.statusOf(provider.key)).toBe(401);
  });

  it("makes the service unavailable to a key that may be new, and to no other", async () => {
    expect(await provider.statusOf(provider.key)).toBe(200);
    provider.pass(-10 * SECOND);
    const old = provider.bearer(second);
    provider.pass(10 * SECOND);
    provider.server.answerWith(outage);
    provider.pass(20 * MINUTE);
    await expect(provider.verifier.verify(provider.bearer(second))).rejects.toMatchObject({
      status: 503,
      headers: { "Retry-After": "30" },
      cause: expect.stringMatching(/no key of AUTH_ISSUER fits/),
    });
    expect(await statusOf(provider.verifier.verify(old))).toBe(401);
    expect(await provider.statusOf(provider.key)).toBe(200);
  });

  it("is counted, and shows in the age of the keys", async () => {
    const { keyFetches } = provider.verifier;
    expect(keyFetches?.ageSeconds()).toBe(Number.POSITIVE_INFINITY);
    expect(await provider.statusOf(provider.key)).toBe(200);
    expect(keyFetches?.ageSeconds()).toBe(0);

    provider.server.answerWith(outage);
    provider.pass(10 * MINUTE);
    expect(await provider.statusOf(provider.key)).toBe(200);
    expect(keyFetches?.ageSeconds()).toBe(600);
    expect(keyFetches?.failures()).toBe(1);

    provider.server.answerWith();
    provider.pass(MINUTE);
    expect(await provider.statusOf(provider.key)).toBe(200);
    expect(keyFetches?.ageSeconds()).toBe(0);
    expect(keyFetches?.failures()).toBe(1);
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

  it("is asked every 2 seconds while there are no keys", async () => {
    provider.server.answerWith(outage);
    for (let second = 0; second < 10; second += 1) {
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
  it("makes no request wait while its keys are fresh enough", async () => {
    expect(await provider.statusOf(provider.key)).toBe(200);
    provider.server.answerWith(hanging);
    provider.pass(6 * MINUTE);
    await expectServed();
    await expectServed();
    expect(hung.givenUp).toBe(0);
    await asked(3);
  });

  it("makes requests wait once when its keys are old", async () => {
    expect(await provider.statusOf(provider.key)).toBe(200);
    provider.server.answerWith(hanging);
    provider.pass(10 * MINUTE);
    const waited = await durationOf(Promise.all([expectServed(), expectServed()]));
    expect(waited).toBeGreaterThan(4_000);
    await until("the end of the request that hung", () => hung.givenUp === 1);

    provider.pass(30 * SECOND);
    await expectServed();
    expect(hung.givenUp).toBe(1);
    await asked(4);
  });

  it("is asked once at a time", async () => {
    provider.server.answerWith(hanging);
    const first = provider.statusOf(provider.key);
    await asked(1);
    provider.pass(3 * SECOND);
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
