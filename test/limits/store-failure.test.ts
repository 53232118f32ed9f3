import { describe, expect, it } from "@jest/globals";
import { withClient } from "../../src/database/client.ts";
import { useBuilding } from "../support/building.ts";
import { requestJson } from "../support/person.ts";
import { until } from "../support/waiting.ts";
import { noRate, rateOf, remainingOf, retryAfter } from "./rates.ts";

const building = useBuilding({ rateLimits: { store: "postgres", perMinute: 100 } });
const person = building.shared("newcomer");

/** Locks the service out of the database, or lets it in again. */
const letIn = (connections: number) =>
  withClient(building.database.url("postgres"), (superuser) =>
    superuser.query(`
      alter database ${building.database.name} connection limit ${connections};
      select pg_terminate_backend(pid) from pg_stat_activity where usename = 'parking_api'
         and datname = current_database()`),
  );

describe("counts that cannot be read", () => {
  it("make requests fail with 503, as the missing database does, and recover with it", async () => {
    expect(remainingOf(await person.get("/nowhere"))).toBe(99);

    await letIn(0);
    const refused = await person.get("/nowhere");
    await letIn(-1);

    expect(refused.status).toBe(503);
    expect(refused.body).toEqual({ error: "Service unavailable" });
    expect(retryAfter(refused)).toBe(5);
    expect(rateOf(refused)).toEqual(noRate);
    // A PgBouncer in between waits before it logs in again.
    let answer = refused;
    await until("recovery", async () => {
      answer = await person.get("/nowhere");
      return answer.status !== 503;
    });
    expect(remainingOf(answer)).toBe(98);
  });

  it("do not prevent the refusal of a bad token", async () => {
    await letIn(0);
    const answer = await requestJson(building.service.origin, "GET", "/api/claims", {
      token: "not.a.token",
    });
    await letIn(-1);

    expect(answer.status).toBe(401);
  });
});
