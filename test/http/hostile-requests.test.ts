import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { useBuilding } from "../support/building.ts";
import { type IdentityService, startIdentityService } from "../support/identity-service.ts";
import { opened } from "../support/opened.ts";
import { holdsForAll } from "../support/table.ts";

/** The processor time of one request: fifty a second from anybody must not stop the service. */
const MOST_MILLISECONDS = 20;

/** Behind a proxy, whose headers are read too. */
const building = useBuilding({
  trustProxy: true,
  corsOrigins: ["https://app.example"],
  web: { basePath: "/api", issuer: "https://issuer.example", clientId: "web", scopes: "openid" },
});
const identity = opened<IdentityService>(startIdentityService, (it) => it.stop());
let token: string;
beforeAll(async () => {
  token = (await building.resident()).token;
});

/** Node takes 16 kB of headers and path together. */
const LENGTH = 14_000;

const filled = (part: string, length = LENGTH) =>
  part.repeat(Math.ceil(length / part.length)).slice(0, length);
const numbered = (part: (i: number) => string) =>
  Array.from({ length: LENGTH / 3 }, (_, i) => part(i))
    .join("")
    .slice(0, LENGTH);

/** What makes a parser look again at all that it has read, for each character. */
const patterns: readonly string[] = [
  filled('"', LENGTH / 2) + filled(",", LENGTH / 2),
  `"${filled('"', LENGTH / 2)}${filled(",", LENGTH / 2 - 1)}`, // one quote is left open
  ...[",", "a/b;q=0.1,", 'W/"a",', '"a" ', "a;", "a=a; ", "a-", "/", "a", "1:"].map((it) =>
    filled(it),
  ),
  ...["a@a.", "%61", "a&", "["].map((it) => filled(it)),
  numbered((i) => `a${i},`),
  `a,${filled(" \t")}a`,
  `"${filled("\\")}`,
  `"${filled('\\"')}`,
  `0.${filled("9")}`,
  `Bearer ${filled(" ")}a`,
  `Bearer a${filled("=", 8_000)}`,
  `Bearer ${Buffer.from(filled('{"a":', 6_000)).toString("base64url")}.e30.`,
  `bytes=${filled("0-,")}`,
];

/** Those that the service reads, or a package that it uses. */
const headers = [
  ...["Accept", "Accept-Encoding", "Accept-Language", "Access-Control-Request-Headers"],
  ...["Authorization", "Cache-Control", "Connection", "Content-Encoding", "Content-Type", "Cookie"],
  ...["Expect", "Forwarded", "Host", "Idempotency-Key", "If-Match", "If-None-Match"],
  ...["Last-Event-ID", "Origin", "Range", "X-Forwarded-For", "X-Forwarded-Host"],
  ...["X-Forwarded-Proto", "X-Request-Id"],
];

interface Target {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly isCaller?: true;
}
const SECRET = filled("a", 43);
const targets: readonly Target[] = [
  { method: "GET", path: "/api/calendar.ics", isCaller: true },
  { method: "GET", path: "/api/claims" },
  { method: "GET", path: "/api/events", isCaller: true },
  { method: "POST", path: "/api/claims", body: "{}", isCaller: true },
  { method: "POST", path: "/api/graphql", body: "{}", isCaller: true },
  { method: "OPTIONS", path: "/api/claims" },
  { method: "GET", path: `/api/calendar-feed.ics?sig=${SECRET}` },
  { method: "POST", path: `/api/unsubscribe?sig=${SECRET}` },
  { method: "GET", path: "/api/openapi.json" },
  { method: "GET", path: "/docs/swagger-ui.css" },
  { method: "GET", path: "/" },
  { method: "GET", path: "/identity/auth?client_id=web" },
  { method: "POST", path: "/identity/token", body: filled("a&", 50_000) },
];

const agent = new Agent({ keepAlive: true });

async function send({ method, path, body, isCaller }: Target, name = "", value = "") {
  const { origin } = path.startsWith("/identity/") ? identity : building.service;
  const sent = request(origin + path, {
    method,
    agent,
    headers: {
      ...(body && { "Content-Type": "application/json", "Content-Length": body.length }),
      ...(isCaller && { Authorization: `Bearer ${token}` }),
      ...(name && { [name]: value }),
    },
  }).end(body);
  const [response]: IncomingMessage[] = await once(sent, "response");
  if (response?.headers["content-type"]?.startsWith("text/event-stream")) sent.destroy();
  else await response?.resume().toArray();
}

/** The least of some tries: the machine has other work, and this process collects garbage. */
async function costOf(...sent: Parameters<typeof send>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 10 && least > MOST_MILLISECONDS; tries += 1) {
    const before = process.cpuUsage();
    await send(...sent);
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}

/** Those of these requests that cost too much. */
async function dearOnes(requests: Iterable<readonly [name: string, ...Parameters<typeof send>]>) {
  const dear: Record<string, number> = {};
  for (const [name, ...sent] of requests) {
    const cost = await costOf(...sent);
    if (cost > MOST_MILLISECONDS) dear[name] = cost;
  }
  return dear;
}

describe("no hostile pattern costs more than 20 ms of processor time", () => {
  it("in a header", () =>
    holdsForAll(targets, async (target) => {
      const requests = headers.flatMap((name) =>
        patterns.map((it) => [`${name}: ${it.slice(0, 20)}`, target, name, it] as const),
      );
      expect(await dearOnes(requests)).toEqual({});
    }));

  it("in the target", () =>
    holdsForAll<Target>(
      [
        ...["/", "/?", "/docs/", "/api/", "/api/calendar-feed.ics?sig="],
        ...["/api/claims/", "/api/claims?limit=", "/api/claims?start_date="],
        ...["/api/parking-spots?building_section=", "/identity/interaction/"],
        ...["/api/unsubscribe?sig=", "/identity/auth?client_id="],
      ].map((path) => ({
        method: path.startsWith("/api/unsubscribe") ? "POST" : "GET",
        path,
        ...(/claims|spots/.test(path) && { isCaller: true }),
      })),
      async (target) => {
        const requests = patterns.map((pattern) => {
          const path = target.path + pattern.replaceAll(/\s/g, "%20").slice(0, LENGTH);
          return [path.slice(0, 50), { ...target, path }] as const;
        });
        expect(await dearOnes(requests)).toEqual({});
      },
    ));
});
