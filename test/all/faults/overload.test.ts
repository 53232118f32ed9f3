import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import type { Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { boundsOf } from "../../../src/database/pool.ts";
import { useArena } from "../../support/arena.ts";
import { type Answer, type Failure, requestJson } from "../../support/person.ts";
import { noRateLimits, startProgram } from "../../support/program.ts";
import { connectTo, headOf } from "../../support/raw-socket.ts";
import { startRelay } from "../../support/relay.ts";
import { type Service, startService } from "../../support/service.ts";
import { withTransactionOf } from "../../support/sql.ts";
import { expectUnavailable } from "../../support/unavailable.ts";
import { until, untilWaiting } from "../../support/waiting.ts";

/** The server's end of the next connection to a server of this process. */
const nextAccepted = (): Promise<Socket> =>
  new Promise((resolve) => {
    const accept = (message: unknown) => {
      unsubscribe("net.server.socket", accept);
      resolve((message as { readonly socket: Socket }).socket);
    };
    subscribe("net.server.socket", accept);
  });

const building = useArena(2);
const person = building.shared("resident");

describe("a service whose only connection is taken", () => {
  let service: Service;
  let token: string;
  beforeEach(async () => {
    const patience = encodeURIComponent("-c lock_timeout=20000");
    const url = `${building.database.url("parking_api")}?options=${patience}`;
    service = await startService(url, { connections: 1 });
    service.pool.options.connectionTimeoutMillis = 200_000;
    token = await service.issuer.token({ sub: person.id, email: person.email });
  });
  afterEach(() => service.close());

  const ask = (path = "/api/parking-spots"): Promise<Answer<Failure>> =>
    requestJson(service.origin, "GET", path, { token });

  const waiting = (): number => boundsOf(service.pool).bound.waitingIn("connection");

  /** A read that shares no connection, because its total has to be counted. */
  const alone = "/api/availabilities?building_section=North";

  /** Until `meanwhile` is over, the first request that comes keeps the connection. */
  const whileTaken = <T>(meanwhile: () => Promise<T>): Promise<T> =>
    withTransactionOf(building.superuser, async (client) => {
      await client.query("lock table parking.spots in access exclusive mode");
      const first = ask(alone); // one that shares it gives it back as soon as it has to wait
      await untilWaiting(building, 1);
      const result = await meanwhile();
      await client.query("rollback");
      expect((await first).status).toBe(200);
      return result;
    });

  it("lets 300 requests wait, and refuses more at once", async () => {
    const { answers } = await whileTaken(async () => {
      const asked = Promise.all(Array.from({ length: 300 }, () => ask(alone)));
      await until("300 waiting requests", () => waiting() === 300);
      for (const answer of await Promise.all([ask(), ask("/api/claims"), ask("/api/nowhere")])) {
        expectUnavailable(answer);
        expect(answer.headers.get("Retry-After")).toBe("1");
      }
      expect((await requestJson(service.origin, "GET", "/livez")).status).toBe(200);
      expect(waiting()).toBe(300);
      return { answers: asked };
    });
    const statuses = (await answers).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it("lets no more wait than it can serve in half of its patience", async () => {
    service.pool.options.connectionTimeoutMillis = 4_000;
    await building.rows(`
      create schema slow;
      grant usage on schema slow to parking_api;
      create function slow.spots() returns boolean language plpgsql as $$
        begin perform pg_sleep(0.1); return true; end $$;
      grant execute on function slow.spots() to parking_api;
      create policy slow on parking.spots as restrictive to parking_api
        using ((select slow.spots()))`);
    await building.rows(
      "insert into parking.spots (spot_number, building_section, owner_id) values ('S', 'S', $1)",
      [person.id],
    );
    let last = ask(alone);
    for (let i = 0; i < 10; i++) {
      const next = ask(alone); // without a pause, after which nobody knows how long it takes
      expect((await last).status).toBe(200);
      last = next;
    }

    // The last ones took a tenth of a second: in two seconds twenty get the connection.
    let refused = 0;
    const { answers } = await whileTaken(async () => {
      const all = Array.from({ length: 300 }, async () => {
        if ((await ask()).status === 503) refused += 1;
      });
      await until("those are refused who would wait in vain", () => refused >= 270);
      return { answers: Promise.all(all) };
    });
    await answers;
    await building.rows("drop schema slow cascade");
  });

  it("does not run what a client asked for who left before its turn", async () => {
    const body = JSON.stringify({ spot_number: "GONE", building_section: "North" });
    const request = headOf("POST /api/parking-spots", [
      `Authorization: Bearer ${token}`,
      "Content-Type: application/json",
      `Content-Length: ${body.length}`,
    ]);
    await whileTaken(async () => {
      const accepted = nextAccepted();
      const socket = await connectTo(service.origin);
      const servers = await accepted;
      socket.write(request + body);
      await until("a waiting request", () => waiting() === 1);
      socket.destroy();
      if (!servers.closed) await once(servers, "close"); // only now does the service know
    });
    expect((await ask()).status).toBe(200);
    expect(await building.rows("select from parking.spots where spot_number = 'GONE'")).toEqual([]);
  });
});

describe("the log of a service that answers 503 to everything", () => {
  it("counts the answers each second, and has no stack", async () => {
    const relay = await startRelay(Number(new URL(building.database.url("parking_api")).port));
    const program = await startProgram(building, {
      ...noRateLimits,
      DATABASE_URL: relay.url(building.database.url("parking_api")),
      LOG_LEVEL: "info",
    });
    await relay.refuse();
    const start = performance.now();
    await Promise.all(Array.from({ length: 100 }, () => program.ask(person, "GET", "/dashboard")));

    const entries = () =>
      program.log
        .map((line): Readonly<Record<string, unknown>> => JSON.parse(line))
        .filter(({ message }) => message === "Service unavailable");
    const counted = () => entries().reduce((sum, { count }) => sum + Number(count ?? 1), 0);
    await until("the count of all answers", () => counted() === 100);
    expect(entries()[0]).toMatchObject({ level: "error", reason: expect.stringMatching(/ECONN/) });
    expect(entries().length).toBeLessThanOrEqual(2 + (performance.now() - start) / 1000);
    expect(program.log.join("\n")).not.toContain("stack");
    expect(program.log.filter((line) => line.includes('"request"'))).toEqual([]);
    await program.stop();
    await relay.close();
  });
});
