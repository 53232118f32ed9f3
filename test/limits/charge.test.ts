import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import Koa from "koa";
import type { Pool } from "pg";
import { withClient } from "../../src/database/client.ts";
import { createPool } from "../../src/database/pool.ts";
import { readRuleCatalogue } from "../../src/errors/catalogue.ts";
import { renderErrors } from "../../src/errors/render.ts";
import { createRateLimits } from "../../src/limits/limits.ts";
import { createLogger } from "../../src/log/logger.ts";
import type { RequestState } from "../../src/tokens/identity.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { type LoopbackServer, startServer } from "../support/key-server.ts";
import { requestJson } from "../support/person.ts";
import { type Clock, MINUTE, stopClock } from "./clock.ts";
import { atOnce, rateOf, remainingOf, statuses } from "./rates.ts";

const logger = createLogger("silent");

describe.each(["memory", "postgres"] as const)("a request of many points in %s", (store) => {
  let database: TestDatabase;
  let pool: Pool;
  let server: LoopbackServer;
  let clock: Clock;
  beforeAll(async () => {
    database = await cloneDatabase();
    pool = createPool(database.url("parking_api"), logger);
    const limits = createRateLimits(
      {
        store,
        perMinute: 100,
        perHour: 150,
        keyPerMinute: 0,
        keyPerHour: 0,
        profilePerMinute: 0,
        profilePerHour: 0,
        refusedTokensPerMinute: 0,
      },
      { pool, routes: [], basePath: "/api" },
    );
    const app = new Koa<RequestState>();
    app.use(renderErrors(await readRuleCatalogue(pool), logger));
    app.use(async (ctx) => {
      ctx.state.identity = { sub: caller };
      await limits.charge(ctx, Number(ctx.query.points));
      ctx.body = {};
    });
    server = await startServer(app.callback());
  });
  afterAll(async () => {
    await server.close();
    await pool.end();
    await database.drop();
  });

  let caller: string;
  beforeEach(async () => {
    caller = randomUUID();
    clock = await stopClock((sql) =>
      withClient(database.url("parking_owner"), (owner) => owner.query(sql)),
    );
  });
  afterEach(() => clock.goOn());

  const ask = (points: number) => requestJson(server.origin, "POST", `/?points=${points}`);

  it("is charged all of them", async () => {
    expect(rateOf(await ask(30))).toMatchObject({ limit: 100, remaining: 70 });
    expect(rateOf(await ask(70))).toMatchObject({ limit: 100, remaining: 0 });
  });

  it("is refused where less is left, and charged nevertheless", async () => {
    await ask(60);

    expect((await ask(41)).status).toBe(429);
    expect((await ask(1)).status).toBe(429);
    await clock.pass(MINUTE);
    expect(rateOf(await ask(1))).toMatchObject({ limit: 150, remaining: 89 });
  });

  it("is never allowed in part, also when many come at once", async () => {
    const answers = await atOnce(50, () => ask(7));

    expect(statuses(answers)).toEqual({ 200: 14, 429: 36 });
    expect(answers.filter(({ status }) => status === 200).map(remainingOf)).toContain(2);
  });
});
