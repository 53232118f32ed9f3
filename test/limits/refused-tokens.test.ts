import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { type Building, openBuilding } from "../support/building.ts";
import { requestJson } from "../support/person.ts";
import type { ServiceOptions } from "../support/service.ts";
import { makeKey, signToken, usualClaims } from "../support/tokens.ts";
import { type Clock, MINUTE, stopClock } from "./clock.ts";
import { retryAfter, statuses, times } from "./rates.ts";

const unknown = makeKey("ES256", "unknown");

let building: Building;
let clock: Clock;
const open = async (options: ServiceOptions = {}) => {
  building = await openBuilding({ rateLimits: { refusedTokensPerMinute: 3 }, ...options });
  clock = await stopClock();
};
afterEach(async () => {
  clock.goOn();
  await building.close();
});

/** The headers that a proxy would set. */
const knock = (Authorization = "Bearer not.a.token", forwardedFor?: string) =>
  requestJson(building.service.origin, "GET", "/api/claims", {
    headers: { Authorization, ...(forwardedFor && { "X-Forwarded-For": forwardedFor }) },
  });

describe("refused tokens from one address", () => {
  beforeEach(() => open());

  it("get 429 after so many a minute", async () => {
    const answers = await times(5, knock);

    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 429, 429]);
    expect(answers.at(-1)?.body).toEqual({ error: "Too many requests" });
    expect(answers.map(retryAfter)).toEqual([undefined, undefined, undefined, 60, 60]);
  });

  it("get 401 again in the next minute, and not sooner", async () => {
    await times(5, knock);

    await clock.pass(MINUTE - 1);
    expect((await knock()).status).toBe(429);
    await clock.pass(1);
    expect((await knock()).status).toBe(401);
  });

  it("do not affect a good token", async () => {
    const person = await building.newcomer();
    await times(5, knock);

    await person.get("/nowhere", 404);
  });

  it.each(["Basic YTpi", "Bearer", "Bearer a b"])("are counted in any form: %s", async (it) => {
    await times(3, () => knock(it));

    expect((await knock()).status).toBe(429);
  });

  it("are not confused with requests without a token", async () => {
    const knockWithout = () => requestJson(building.service.origin, "GET", "/api/claims");
    expect(statuses(await times(20, knockWithout))).toEqual({ 401: 20 });

    expect(statuses(await times(4, knock))).toEqual({ 401: 3, 429: 1 });
    expect((await knockWithout()).status).toBe(401);
  });

  it("are counted by the address of the connection, not by its X-Forwarded-For", async () => {
    const answers = [
      await knock(undefined, "192.0.2.1"),
      await knock(undefined, "192.0.2.2"),
      await knock(undefined, "192.0.2.3"),
      await knock(undefined, "192.0.2.4"),
    ];

    expect(statuses(answers)).toEqual({ 401: 3, 429: 1 });
  });
});

describe("a refused token over its address's limit", () => {
  /** One that becomes valid in 20 seconds. The verifier has the clock of the test. */
  const early = async (): Promise<string> => {
    const nbf = Math.floor(clock.now() / 1000) + 20;
    return `Bearer ${await building.service.issuer.token({ sub: randomUUID(), nbf })}`;
  };
  beforeEach(async () => {
    clock = await stopClock();
    building = await openBuilding({ rateLimits: { refusedTokensPerMinute: 3 } });
  });

  it("is counted also where its key may be a new one", async () => {
    const { issuer } = building.service;
    await (await building.newcomer()).get("/nowhere", 404);
    await issuer.close();
    await clock.pass(5_000);
    const claims = usualClaims(issuer.issuer, issuer.audience, Date.now());
    const forged = () => knock(`Bearer ${signToken(unknown, { ...claims, sub: randomUUID() })}`);
    const answers = await times(4, forged);

    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 429]);
  });

  it("is not verified again before the limit's minute is over", async () => {
    const token = await early();
    await times(4, () => knock(token));

    await clock.pass(20_000);
    expect(await knock(token)).toMatchObject({ status: 429, body: { error: "Too many requests" } });
    await clock.pass(40_000);
    expect((await knock(token)).status).toBe(403);
  });

  it("is verified when another address sends it", async () => {
    await building.close();
    building = await openBuilding({
      rateLimits: { refusedTokensPerMinute: 3 },
      trustProxy: true,
    });
    const token = await early();
    await times(4, () => knock(token, "192.0.2.1"));

    await clock.pass(20_000);
    expect((await knock(token, "192.0.2.1")).status).toBe(429);
    expect((await knock(token, "192.0.2.2")).status).toBe(403);
  });
});

describe("refused tokens that come through a trusted proxy", () => {
  beforeEach(() => open({ trustProxy: true }));

  it("are counted by the address that the proxy saw", async () => {
    expect(statuses(await times(4, () => knock(undefined, "192.0.2.1")))).toEqual({
      401: 3,
      429: 1,
    });
    expect((await knock(undefined, "192.0.2.2")).status).toBe(401);
  });

  it("are counted by the last address: the client can write the others", async () => {
    await times(4, () => knock(undefined, "192.0.2.1"));

    expect((await knock(undefined, "192.0.2.2, 192.0.2.1")).status).toBe(429);
    expect((await knock(undefined, "192.0.2.1, 192.0.2.2")).status).toBe(401);
  });

  it.each([
    ["192.0.2.1:4711", "192.0.2.1:4712", "192.0.2.1", "192.0.2.1:4713"],
    ["[2001:db8::1]:4711", "[2001:db8::1]:4712", "[2001:db8::1]", "2001:db8::1"],
  ])("are counted without the port that some proxies add: %s", async (...forwarded) => {
    const answers = [];
    for (const address of forwarded) answers.push(await knock(undefined, address));
    expect(statuses(answers)).toEqual({ 401: 3, 429: 1 });
  });

  it("are counted by the network of an IPv6 address", async () => {
    const addresses = ["2001:db8::1", "2001:db8::2", "2001:db8::3", "2001:db8:0:0:1::"];
    const answers = await Promise.all(addresses.map((address) => knock(undefined, address)));

    expect(statuses(answers)).toEqual({ 401: 3, 429: 1 });
    expect((await knock(undefined, "2001:db8:0:1::1")).status).toBe(401);
  });
});

it("refused tokens without a limit are refused, and nothing else", async () => {
  await open({ rateLimits: {} });

  expect(statuses(await times(100, knock))).toEqual({ 401: 100 });
});

it("refused tokens where the counts are in PostgreSQL do not reach it", async () => {
  await open({ rateLimits: { store: "postgres", refusedTokensPerMinute: 3 } });

  await times(5, knock);

  expect(await building.rows("select key from private.rate_limits")).toEqual([]);
});
