import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { Registry } from "prom-client";
import { keyMetrics } from "../../src/metrics/gauges.ts";
import { type Arena, openArena } from "../support/arena.ts";
import { spotOf } from "../support/building.ts";
import { within } from "../support/effort.ts";
import { listenTo } from "../support/events.ts";
import { freePort } from "../support/free-port.ts";
import { type Sample, type Scrape, scrape } from "../support/metrics.ts";
import { type Person, requestJson } from "../support/person.ts";
import { noRateLimits, type Program, startProgram } from "../support/program.ts";
import { type Relay, startRelay } from "../support/relay.ts";
import { served } from "../support/served.ts";
import { withTransactionOf } from "../support/sql.ts";
import { until } from "../support/waiting.ts";

let building: Arena;
let relay: Relay;
let program: Program;
let person: Person;
let port: number;
beforeAll(async () => {
  building = await openArena(2);
  person = await building.resident();
  const databaseUrl = building.database.url("parking_api");
  relay = await startRelay(Number(new URL(databaseUrl).port));
  port = await freePort();
  program = await startProgram(building, {
    ...noRateLimits,
    RATE_LIMIT_PER_HOUR: "200",
    DATABASE_URL: relay.url(databaseUrl),
    ADMIN_PORT: String(port),
  });
});
afterAll(async () => {
  await program.stop();
  await relay.close();
  await building.close();
});

/** By how much a counter grows while `act` runs. A request is counted just after its answer. */
async function growth(
  name: string,
  labels: Readonly<Record<string, string>>,
  act: () => Promise<unknown>,
) {
  const before = (await scrape(port)).value(name, labels) ?? 0;
  await act();
  let after = 0;
  await until("the count", async () => {
    after = (await scrape(port)).value(name, labels) ?? 0;
    return after > before;
  });
  return after - before;
}

describe("a scrape", () => {
  it("counts open streams, and not how long they lasted", async () => {
    const ears = [await listenTo(program, person), await listenTo(program, person)];
    const { value } = await scrape(port);
    expect(value("parking_event_streams")).toBe(2);
    expect(value("parking_event_streams_dropped_total")).toBe(0);

    const labels = { method: "GET", route: "/api/events" };
    const durations = async () =>
      (await scrape(port)).value("http_request_duration_seconds_count", labels);
    const before = await durations();
    const end = async () => {
      for (const ear of ears) ear.close();
      await until(
        "no stream",
        async () => (await scrape(port)).value("parking_event_streams") === 0,
      );
    };
    expect(await growth("http_requests_total", labels, end)).toBe(2);
    expect(await durations()).toBe(before);
  });

  it("says how large the database is, and how many connections it has", async () => {
    let value: Scrape["value"] = () => undefined;
    // A scrape waits a second for the database, which is short on a busy machine.
    await until("all values", async () => {
      value = (await scrape(port)).value;
      return (
        value("parking_database_up") === 1 && value("parking_database_size_bytes") !== undefined
      );
    });

    expect(value("parking_database_size_bytes")).toBeGreaterThan(1e6);
    expect(value("parking_database_connections")).toBeGreaterThan(0);
    expect(value("parking_database_connections_max")).toBeGreaterThan(10);
  });

  it("says how old the oldest transaction of the service's role is", () =>
    withTransactionOf(building.direct, async (client) => {
      await client.query("select pg_sleep(0.05)");
      await until("its age", async () => {
        const { value } = await scrape(port);
        return (value("parking_database_oldest_transaction_seconds") ?? 0) > 0.05;
      });
    }));
});

describe("requests", () => {
  const route = (template: string, status: string, method = "GET") => ({
    method,
    route: `/api${template}`,
    status,
  });

  it("are counted by the template of their route, not by their path", async () => {
    const ask = () => served(() => program.ask(person, "GET", `/parking-spots/${randomUUID()}`));
    const grown = await growth("http_requests_total", route("/parking-spots/:id", "404"), () =>
      Promise.all([ask(), ask(), ask()]),
    );

    expect(grown).toBe(3);
  });

  it("are counted with their route where they are refused before it, too", async () => {
    const ask = () => requestJson(program.origin, "POST", "/api/claims", { body: {} });

    expect(await growth("http_requests_total", route("/claims", "401", "POST"), ask)).toBe(1);
  });

  it("to GraphQL are counted by the kind of their operation", async () => {
    const ask = (query: string) => () =>
      served(() => program.ask(person, "POST", "/graphql", { query }));
    const count = (operation: string, query: string) =>
      growth("http_requests_total", { ...route("/graphql", "200", "POST"), operation }, ask(query));

    expect(await count("query", "{ spots { totalCount } }")).toBe(1);
    const claim = `mutation { createClaim(input: { availabilityId: "${randomUUID()}",
      startTime: "2099-01-01T00:00:00Z", endTime: "2099-01-02T00:00:00Z" }) { claim { id } } }`;
    expect(await count("mutation", claim)).toBe(1);
  });

  it("whose path clients made up have few labels", async () => {
    const paths = Array.from({ length: 20 }, () => `/${randomUUID()}/%0a"{}\\`);
    const grown = await growth("http_requests_total", { route: "other", status: "404" }, () =>
      Promise.all(paths.map((path) => requestJson(program.origin, "GET", path))),
    );
    expect(grown).toBe(20);

    const { samples } = await scrape(port);
    expect(routesIn(samples).filter((label) => /[0-9a-f]{8}-/.test(label))).toEqual([]);
  });
});

const routesIn = (samples: readonly Sample[]): readonly string[] =>
  samples.flatMap(({ labels }) => labels.route ?? []);

describe("refusals", () => {
  const refused = (code: string, act: () => Promise<unknown>) =>
    growth("parking_refusals_total", { code }, act);

  it("are counted by the rule that refused, in REST and in GraphQL", async () => {
    const spot = await spotOf(person);
    const again = { spot_number: spot.spot_number, building_section: "North" };
    const rest = () => served(() => program.ask(person, "POST", "/parking-spots", again));
    const answer = await rest();
    const rule = answer.headers.get("X-Error-Code") ?? "";
    const query = `mutation { createSpot(input: { spotNumber: "${spot.spot_number}", buildingSection: "North" }) { spot { id } } }`;

    expect(answer.status).toBe(409);
    expect(await refused(rule, rest)).toBe(1);
    const graphql = () => served(() => program.ask(person, "POST", "/graphql", { query }));
    expect(await refused(rule, graphql)).toBe(1);
  });

  it("are counted for the rate limits", async () => {
    const busy = await building.resident();
    const ask = () => program.ask(busy, "GET", "/building");
    await Promise.all(Array.from({ length: 200 }, ask));
    // On a busy machine some are refused with 503, and not counted by the limit.
    await until("the limit", async () => (await ask()).status === 429);

    expect(await refused("too_many_requests", ask)).toBe(1);
  });
});

it("the keys of the identity provider have an age, and a count of failed fetches", async () => {
  await program.ask(person, "GET", "/dashboard");
  const { value } = await scrape(port);

  expect(value("parking_identity_keys_age_seconds")).toBeLessThan(3_600);
  expect(value("parking_identity_key_fetch_failures_total")).toBe(0);
});

describe("counts of others", () => {
  it("are what they were at the scrape, however often it is", async () => {
    const registry = new Registry();
    keyMetrics({ ageSeconds: () => 5, failures: () => 2 }, registry);
    await registry.metrics();
    expect(await registry.metrics()).toContain("fetch_failures_total 2\n");
  });

  it("have the jobs of each kind, also of one that this process does not know", async () => {
    await building.rows("select private.add_job('other', $1)", [randomUUID()]);
    const { value } = await scrape(port);
    expect(value("parking_jobs_waiting", { kind: "other" })).toBe(1);
    expect(value("parking_jobs_failing", { kind: "other" })).toBe(0);
  });
});

describe("what waits", () => {
  const now = async (isTrue: (value: Scrape["value"]) => boolean) =>
    until("the gauges", async () => isTrue((await scrape(port)).value));
  /** Asks until the scrape shows it: a waiting request is refused after a second, which may end before the next scrape. */
  const againUntil = async (shown: AbortSignal, ask: () => Promise<unknown>) => {
    do await ask();
    while (!shown.aborted);
  };

  it("shows: connections in use, and requests that wait for their turn with a row", async () => {
    const { id } = await spotOf(person);
    const change = { building_section: "South" };
    await withTransactionOf(building.superuser, async (client) => {
      await client.query("select from parking.spots where id = $1 for update", [id]);
      const shown = new AbortController();
      const asked = Array.from({ length: 6 }, () =>
        againUntil(shown.signal, () => program.ask(person, "PUT", `/parking-spots/${id}`, change)),
      );
      await now(
        (value) =>
          value("parking_pool_connections", { pool: "rest", state: "in_use" }) === 4 &&
          value("parking_waiting", { for: "turn" }) === 2,
      );
      shown.abort();
      await client.query("rollback");
      await Promise.all(asked);
    });
    await now((value) => value("parking_waiting", { for: "turn" }) === 0);
  });

  it("shows: operations in the queue of GraphQL", async () => {
    const query = "{ spots { totalCount } }";
    await withTransactionOf(building.superuser, async (client) => {
      await client.query("lock table parking.spots in access exclusive mode");
      const shown = new AbortController();
      const asked = Array.from({ length: 5 }, () =>
        againUntil(shown.signal, () => program.ask(person, "POST", "/graphql", { query })),
      );
      await now(
        (value) =>
          value("parking_pool_connections", { pool: "graphql", state: "in_use" }) === 2 &&
          value("parking_waiting", { for: "graphql_queue" }) === 3,
      );
      shown.abort();
      await client.query("rollback");
      await Promise.all(asked);
    });
  });
});

describe("where they are", () => {
  it.each(["/metrics", "/api/metrics"])("is never the port of the people: %s", async (path) => {
    const { token } = person;
    expect((await requestJson(program.origin, "GET", path, { token })).status).toBe(404);
  });

  it("answers nothing else", async () => {
    const ask = (path: string, method = "GET") =>
      fetch(`http://127.0.0.1:${port}${path}`, { method });
    expect((await ask("/")).status).toBe(404);
    expect((await ask("/api/claims")).status).toBe(404);
    expect((await ask("/metrics", "POST")).status).toBe(404);
  });
});

describe("a database that", () => {
  it.each([
    ["refuses", () => relay.refuse()],
    ["does not answer", () => relay.hang()],
  ])("%s costs a scrape its values, and no more than a few seconds", async (_, fail) => {
    await fail();
    const start = performance.now();
    const { status, value } = await scrape(port);

    expect(performance.now() - start).toBeLessThan(within(10_000)); // Prometheus' own time-out
    expect(status).toBe(200);
    expect(value("parking_database_up")).toBe(0);
    expect(value("parking_database_size_bytes")).toBeUndefined();
    expect(value("process_resident_memory_bytes")).toBeGreaterThan(0);

    relay.cut();
    await relay.mend();
    await until("an answer", async () => (await scrape(port)).value("parking_database_up") === 1);
  });
});
