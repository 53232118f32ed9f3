import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { withClient } from "../../../src/database/client.ts";
import { useArena } from "../../support/arena.ts";
import { type Answer, type Failure, requestJson } from "../../support/person.ts";
import { type Service, startService } from "../../support/service.ts";
import { expectUnavailable } from "../../support/unavailable.ts";

const building = useArena(1);
const person = building.shared("resident");
let service: Service;
beforeEach(async () => {
  const readOnly = encodeURIComponent("-c default_transaction_read_only=on");
  const url = `${building.database.url("parking_api")}?options=${readOnly}`;
  service = await startService(url, { connections: 1 });
});
afterEach(() => service.close());

const ask = async (method: string, path: string, body?: unknown): Promise<Answer<Failure>> => {
  const { issuer, origin } = service;
  const token = await issuer.token({ sub: person.id, email: person.email, email_verified: true });
  return requestJson(origin, method, path, { token, ...(body !== undefined && { body }) });
};

const backend = async (): Promise<number | undefined> => {
  const { rows } = await service.pool.query<{ pid: number }>("select pg_backend_pid() as pid");
  return rows[0]?.pid;
};

describe("a database that became read-only, as after a failover", () => {
  it("answers what is read, the caller's profile too", async () => {
    expect((await ask("GET", "/api/parking-spots")).status).toBe(200);
    expect((await ask("GET", "/api/profile")).status).toBe(200);
  });

  it("is left for a new connection when a write fails, for that may lead elsewhere", async () => {
    const before = await backend();
    expectUnavailable(
      await ask("POST", "/api/parking-spots", {
        spot_number: "R-1",
        building_section: "North",
      }),
    );
    expect(await backend()).not.toBe(before);
  });
});

describe("/readyz", () => {
  it("recovers once new connections lead to a server that writes", async () => {
    const onRole = async (change: string): Promise<void> => {
      const [database] = await building.rows<{ name: string }>("select current_database() as name");
      await withClient(building.database.url("postgres"), (client) =>
        client.query(`alter role parking_api in database ${database?.name} ${change}`),
      );
    };
    await onRole("set default_transaction_read_only = on"); // for connections made from now on
    const failing = await startService(building.database.url("parking_api"));
    try {
      expectUnavailable(await requestJson(failing.origin, "GET", "/readyz"));
      await onRole("reset default_transaction_read_only");
      expect((await requestJson(failing.origin, "GET", "/readyz")).status).toBe(200);
    } finally {
      await failing.close();
    }
  });

  it("has a connection of its own", async () => {
    const { origin, pool } = building.service;
    const taken = await pool.connect();
    try {
      expect((await requestJson(origin, "GET", "/readyz")).status).toBe(200);
    } finally {
      taken.release();
    }
  });
});
