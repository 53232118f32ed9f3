import { afterEach, describe, expect, it } from "@jest/globals";
import { createPool } from "../../src/database/pool.ts";
import { createLogger } from "../../src/log/logger.ts";
import { useArena } from "../support/arena.ts";
import { type Answer, type Failure, requestJson } from "../support/person.ts";
import { served } from "../support/served.ts";
import { type Service, startService } from "../support/service.ts";
import { withTransactionOf } from "../support/sql.ts";
import { expectUnavailable } from "../support/unavailable.ts";
import { untilWaiting } from "../support/waiting.ts";

const building = useArena(2);
const person = building.shared("resident");
let service: Service | undefined;
afterEach(async () => {
  await service?.close();
  service = undefined;
});

/** A service whose sessions have this setting, in milliseconds, in place of the role's. */
const startWith = async (setting: string, connections = 2): Promise<Service> => {
  const options = encodeURIComponent(`-c ${setting}`);
  const url = `${building.database.url("parking_api")}?options=${options}`;
  service = await startService(url, { connections });
  return service;
};

const ask = async ({ origin, issuer }: Service, method = "GET"): Promise<Answer<Failure>> => {
  const token = await issuer.token({ sub: person.id, email: person.email });
  const body = { spot_number: "T-1", building_section: "North" };
  return requestJson(origin, method, "/api/parking-spots", {
    token,
    ...(method === "POST" && { body }),
  });
};

describe.each([
  // It also binds the statements of the start, which need longer on a busy machine.
  ["a statement that takes too long", "statement_timeout=4000"],
  ["a lock that another transaction keeps", "lock_timeout=150"],
])("%s", (_what, setting) => {
  it.each(["GET", "POST"])("ends %s with 503, and the connection serves again", async (method) => {
    const limited = await startWith(setting, 1);
    await withTransactionOf(building.superuser, async (client) => {
      await client.query("lock table parking.spots in access exclusive mode");
      expectUnavailable(await ask(limited, method));
    });
    expect((await served(() => ask(limited))).status).toBe(200);
    expect(await building.rows("select from parking.spots where spot_number = 'T-1'")).toEqual([]);
  });
});

describe("more requests than connections", () => {
  it("wait for a free connection", async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => ask(building.service)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it("have a second to get a connection", async () => {
    const pool = createPool(building.database.url("parking_api"), createLogger("silent"));
    expect(pool.options.connectionTimeoutMillis).toBe(1000);
    await pool.end();
  });

  it("get 503 without one, after a shorter time here", async () => {
    const limited = await startWith("lock_timeout=20000", 1);
    limited.pool.options.connectionTimeoutMillis = 300;
    await withTransactionOf(building.superuser, async (client) => {
      await client.query("lock table parking.spots in access exclusive mode");
      const first = ask(limited, "POST"); // it has its connection alone
      await untilWaiting(building, 1);
      const rest = await Promise.all(Array.from({ length: 20 }, () => ask(limited)));
      for (const answer of rest) expectUnavailable(answer);
      await client.query("rollback");
      expect((await first).status).toBe(201);
    });
    expect((await ask(limited)).status).toBe(200);
  });
});
