import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import Koa from "koa";
import { overloaded, Problem } from "../../src/errors/problem.ts";
import { limitSecrets } from "../../src/limits/strangers.ts";
import { type LoopbackServer, startServer } from "../support/key-server.ts";
import { until } from "../support/waiting.ts";
import { atOnce } from "./rates.ts";

const UNKNOWN_PER_MINUTE = 3;

let server: LoopbackServer;
/** How many secrets the database was asked about. */
let tried: number;
/** What it says of each. */
let use: () => Promise<{ gives: string } | undefined>;
beforeEach(async () => {
  tried = 0;
  const charged = limitSecrets({
    name: "secrets",
    limits: { chargeSecret: () => undefined },
    unknownPerMinute: UNKNOWN_PER_MINUTE,
  });
  const app = new Koa();
  app.use(async (ctx) => {
    try {
      const used = await charged(ctx, ctx.path, () => {
        tried += 1;
        return use();
      });
      ctx.status = used ? 200 : 404;
    } catch (error) {
      ctx.status = error instanceof Problem ? error.status : 500;
    }
  });
  server = await startServer(app.callback());
});
afterEach(() => server.close());

let secrets = 0;
/** Sends one that was not sent before. */
async function send(): Promise<number> {
  secrets += 1;
  return (await fetch(`${server.origin}/${secrets}`)).status;
}
async function sendInTurn(count: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let sent = 0; sent < count; sent++) statuses.push(await send());
  return statuses;
}
/** All of them come before the first is answered. */
async function sendAtOnce(count: number, found: { gives: string } | undefined): Promise<number[]> {
  const answered = Promise.withResolvers<void>();
  use = () => answered.promise.then(() => found);
  const before = server.requests.length;
  const statuses = atOnce(count, send);
  await until("all", () => server.requests.length === before + count);
  answered.resolve();
  return (await statuses).toSorted();
}

const isUnknown = async () => undefined;
const isKnown = async () => ({ gives: "something" });

describe("unknown secrets from one address", () => {
  it("get 429 after so many a minute, and are tried no more", async () => {
    use = isUnknown;
    expect(await sendInTurn(5)).toEqual([404, 404, 404, 429, 429]);
    expect(tried).toBe(UNKNOWN_PER_MINUTE);
  });

  it("are no more where they come at once", async () => {
    expect(await sendAtOnce(10, undefined)).toEqual([
      ...Array.from({ length: UNKNOWN_PER_MINUTE }, () => 404),
      ...Array.from({ length: 10 - UNKNOWN_PER_MINUTE }, () => 429),
    ]);
    expect(tried).toBe(UNKNOWN_PER_MINUTE);
  });

  it("count also where the database fails at them", async () => {
    use = () => Promise.reject(new Error("it cannot read this"));
    expect(await sendInTurn(5)).toEqual([500, 500, 500, 429, 429]);
  });
});

describe("nothing is charged to an address", () => {
  it("for secrets that are known, in turn or at once", async () => {
    use = isKnown;
    expect(new Set(await sendInTurn(10))).toEqual(new Set([200]));
    await sendAtOnce(10, { gives: "something" });

    use = isUnknown;
    expect(await sendInTurn(4)).toEqual([404, 404, 404, 429]);
  });

  it("while the database does not answer", async () => {
    use = () => Promise.reject(overloaded("too many reads wait for a connection"));
    expect(new Set(await sendInTurn(10))).toEqual(new Set([503]));

    use = isUnknown;
    expect(await sendInTurn(4)).toEqual([404, 404, 404, 429]);
  });
});
