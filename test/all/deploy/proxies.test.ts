import { randomUUID } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type Building, openBuilding } from "../../support/building.ts";
import { effort } from "../../support/effort.ts";
import { freePort } from "../../support/free-port.ts";
import type { Person } from "../../support/person.ts";
import { noRateLimits, type Program, startProgram } from "../../support/program.ts";
import {
  isInstalled,
  type ProxyName,
  type RunningProxy,
  startProxy,
} from "../../support/proxies.ts";
import { type Relay, startRelay } from "../../support/relay.ts";
import { until } from "../../support/waiting.ts";

const REFUSED_TOKENS = 5;

let building: Building;
let relay: Relay;
let person: Person;
let programs: [Program, Program];
let ports: [number, number];

const start = (port: number): Promise<Program> =>
  startProgram(building, {
    ...noRateLimits,
    PORT: String(port),
    DATABASE_URL: relay.url(building.database.url("parking_api")),
    TRUST_PROXY: "true",
    REFUSED_TOKEN_RATE_LIMIT_PER_MINUTE: String(REFUSED_TOKENS),
    WEB_CLIENT_ID: "page",
    LOG_LEVEL: "info",
  });

beforeAll(async () => {
  building = await openBuilding();
  person = await building.resident();
  relay = await startRelay(Number(new URL(building.database.url("parking_api")).port));
  ports = [await freePort(), await freePort()];
  programs = await Promise.all([start(ports[0]), start(ports[1])]);
});
afterAll(async () => {
  await Promise.all(programs.map((it) => it.stop()));
  await relay.close();
  await building.close();
});

const REQUESTS_A_SECOND = 120;
const MOST_AT_ONCE = 50;
/** What a proxy may send again, and what it may not once it has sent it. */
const REQUESTS = [
  ["GET", "/api/dashboard"],
  ["PUT", "/api/profile", { full_name: "Ada" }],
  ["POST", "/api/graphql", { query: "{ spots { totalCount } }" }],
] as const;

const describeInstalled = (name: ProxyName) => (isInstalled(name) ? describe : describe.skip);

for (const name of ["caddy", "nginx"] as const)
  describeInstalled(name)(`behind ${name}, with its file of docs/deploy`, () => {
    let proxy: RunningProxy;
    beforeAll(async () => {
      proxy = await startProxy(name, ports);
    });
    afterAll(() => proxy?.stop());

    const ask = async (method: string, path: string, body?: unknown, headers = {}) => {
      const answer = await proxy.ask({
        method,
        path,
        headers: {
          Authorization: `Bearer ${person.token}`,
          ...(body !== undefined && { "Content-Type": "application/json" }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { ...answer, text: answer.body.toString() };
    };

    it("the page, REST and GraphQL answer over TLS", async () => {
      const page = await ask("GET", "/");
      expect([page.status, page.text]).toEqual([200, expect.stringContaining("<!doctype html>")]);
      expect((await ask("GET", "/api/dashboard")).status).toBe(200);
      const query = "{ spots { totalCount } }";
      expect((await ask("POST", "/api/graphql", { query })).text).toMatch(/"totalCount":\d+/);
    });

    it.each([150_000, 3_000_000])("a body of %i bytes is refused with 413", async (bytes) => {
      for (let i = 0; i < 5; i++) {
        const answer = await ask("POST", "/api/claims", { text: "x".repeat(bytes) });
        expect(answer).toMatchObject({
          status: 413,
          headers: { "x-error-code": "body_too_large" },
          text: '{"error":"The request body is larger than 100 kB"}',
        });
      }
    });

    it("a body of 100 kB comes through", async () => {
      const answer = await ask("POST", "/api/claims", { text: "x".repeat(100 * 1024 - 11) });
      expect(answer).toMatchObject({
        status: 400,
        headers: { "x-error-code": "validation_failed" },
      });
    });

    it("a list of invitations may have 256 kB", async () => {
      const list = (bytes: number) =>
        ask("POST", "/api/admin/invitations", { invitations: "x".repeat(bytes) });
      expect((await list(250_000)).headers["x-error-code"]).toBe("validation_failed");
      expect(await list(300_000)).toMatchObject({
        status: 413,
        headers: { "x-error-code": "body_too_large" },
        text: '{"error":"The request body is larger than 256 kB"}',
      });
    });

    it("503 and Retry-After come through", async () => {
      await relay.refuse();
      const answer = await ask("GET", "/api/dashboard");
      await relay.mend();

      expect([answer.status, answer.headers["retry-after"]]).toEqual([503, expect.any(String)]);
      await until("the database", async () => (await ask("GET", "/readyz")).status === 200);
    });

    it("an answer is compressed, and its tag still finds that nothing changed", async () => {
      const encoding = { "Accept-Encoding": "gzip" };
      for (let i = 0; i < 5; i++)
        await ask("POST", "/api/parking-spots", {
          spot_number: randomUUID().slice(0, 8),
          building_section: "North",
        });
      const first = await ask("GET", "/api/parking-spots", undefined, encoding);
      expect(first.headers["content-encoding"]).toBe("gzip");
      expect(JSON.parse(gunzipSync(first.body).toString()).total).toBeGreaterThan(0);

      const { etag } = first.headers;
      const again = await ask("GET", "/api/parking-spots", undefined, {
        ...encoding,
        "If-None-Match": String(etag),
      });
      expect([again.status, again.text]).toEqual([304, ""]);
    });

    it("a change with the tag of a compressed answer is made, and with an old one is not", async () => {
      const created = await ask("POST", "/api/parking-spots", {
        spot_number: randomUUID().slice(0, 8),
        building_section: "North",
      });
      const path = `/api/parking-spots/${JSON.parse(created.text).spot.id}`;
      const encoding = { "Accept-Encoding": "gzip" };
      const { headers } = await ask("GET", path, undefined, encoding);
      const tag = String(headers.etag);
      const change = (section: string, ifMatch: string) =>
        ask("PUT", path, { building_section: section }, { ...encoding, "If-Match": ifMatch });
      // Each proxy has its own way to mark the tag of what it compressed.
      const marked = { caddy: tag.replace(/"$/, '-gzip"'), nginx: `W/${tag.replace("W/", "")}` };

      expect((await change("South", marked[name])).status).toBe(200);
      expect((await change("East", marked[name])).status).toBe(412);
    });

    it("a stream of events comes through as they happen", async () => {
      const headers = { Authorization: `Bearer ${person.token}`, "Accept-Encoding": "gzip" };
      const stream = await proxy.open({ path: "/api/events", headers });
      expect(stream.headers["content-encoding"]).toBeUndefined();
      let text = "";
      stream.setEncoding("utf8").on("data", (chunk) => {
        text += chunk;
      });
      await until("the beginning", () => text.includes("\nid: "));
      await ask("PUT", "/api/profile", { full_name: `Ada ${name}` });
      await until("an event", () => text.includes("\nevent: profile.updated\n"));
      stream.destroy();
    });

    it("the limit of refused tokens is for the client's address, not for one that it made up", async () => {
      const refused = { Authorization: "Bearer none" };
      const statuses = [];
      // Each process counts by itself.
      for (let i = 0; i <= 2 * REFUSED_TOKENS; i++) {
        const forged = { ...refused, "X-Forwarded-For": `203.0.113.${i}` };
        statuses.push((await ask("GET", "/api/dashboard", undefined, forged)).status);
      }
      expect(statuses).toContain(401); // one process may remember those of the other proxy
      expect(statuses.at(-1)).toBe(429);
    });

    it("no request fails while one process after the other is restarted, as the document says", async () => {
      const failed: string[] = [];
      const asking = new Set<Promise<void>>();
      let count = 0;
      const askOnce = async ([method, path, body]: readonly [string, string, unknown?]) => {
        const { status, text } = await ask(method, path, body);
        // On a busy machine the service itself may refuse one, which is no fault of the restart.
        const isBusy = status === 503 && text.includes("Service unavailable");
        if (status !== 200 && !isBusy) failed.push(`${method} ${path} ${status} ${text}`);
      };
      const load = setInterval(() => {
        if (asking.size >= MOST_AT_ONCE) return; // a busy machine: a proxy has few connections
        const asked = askOnce(REQUESTS[count++ % REQUESTS.length] ?? ["GET", "/api/dashboard"]);
        asking.add(asked);
        void asked.finally(() => asking.delete(asked));
      }, 1_000 / REQUESTS_A_SECOND);
      try {
        for (let round = 0; round < effort(2, 8); round++) {
          // No pause: the document waits for /readyz of the first and restarts the second.
          for (const index of [0, 1] as const) {
            await programs[index].stop();
            programs[index] = await start(ports[index]);
            const readyz = `${programs[index].origin}/readyz`;
            await until("/readyz", async () => (await fetch(readyz)).status === 200);
          }
        }
      } finally {
        clearInterval(load);
      }
      await Promise.all(asking);

      expect(failed).toEqual([]);
      expect(count).toBeGreaterThan(100);
    });
  });
