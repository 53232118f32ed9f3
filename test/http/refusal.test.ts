import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { Registry } from "prom-client";
import { requestMetrics } from "../../src/metrics/requests.ts";
import { type Building, openBuilding } from "../support/building.ts";
import { exchange, headOf } from "../support/raw-socket.ts";

const APP = "https://app.example.org";

let building: Building;
const registry = new Registry();
beforeAll(async () => {
  const metrics = requestMetrics("/api", registry);
  // All but the first eight of requests that arrive together wait longer than this.
  building = await openBuilding({ patienceMs: 0, corsOrigins: [APP], metrics });
});
afterAll(() => building.close());

interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** The answers to requests that arrive together. The first is sent as often as one turn begins. */
async function answersTo(...heads: readonly [string, ...string[]]): Promise<readonly RawAnswer[]> {
  const [first] = heads;
  const last = headOf("GET /livez", ["Connection: close"]);
  const text = await exchange(building.service.origin, first.repeat(7) + heads.join("") + last);
  const answers = text.split(/(?<=})(?=HTTP)/);
  return answers.slice(7).map((answer) => {
    const [head = "", body = ""] = answer.split("\r\n\r\n");
    const [line = "", ...fields] = head.split("\r\n");
    const headers = new Headers(
      fields.map((field): [string, string] => [
        field.slice(0, field.indexOf(":")),
        field.slice(field.indexOf(":") + 1),
      ]),
    );
    return { status: Number(line.split(" ")[1]), headers, body: JSON.parse(body) };
  });
}

const profile = (headers: readonly string[] = []) => headOf("GET /api/profile", headers);

describe("a request for which there is no time", () => {
  it("gets 503 with Retry-After, and a supervisor gets its answer", async () => {
    const [first, second, livez] = await answersTo(profile(), profile());

    expect(first?.status).toBe(401);
    expect(second).toMatchObject({ status: 503, body: { error: "Service unavailable" } });
    expect(second?.headers.get("Retry-After")).toBe("1");
    expect(second?.headers.get("X-Error-Code")).toBe("service_unavailable");
    expect(livez).toMatchObject({ status: 200, body: { status: "ok" } });
  });

  it("gets the headers of every other answer", async () => {
    const sent = ["X-Request-Id: of-the-client", `Origin: ${APP}`];
    const [first, second] = await answersTo(profile(sent), profile(sent));
    const ofThisAnswer = ["content-length", "date", "www-authenticate", "x-error-code"];

    for (const [name, value] of first?.headers ?? []) {
      if (ofThisAnswer.includes(name)) continue;
      expect([name, second?.headers.get(name)]).toEqual([name, value]);
    }
    expect(second?.headers.get("X-Request-Id")).toBe("of-the-client");
    expect(second?.headers.get("Access-Control-Allow-Origin")).toBe(APP);
  });

  it("may not be read by a page of an unknown origin", async () => {
    const sent = ["Origin: https://other.example.org"];
    const [, second] = await answersTo(profile(), profile(sent));

    expect(second?.headers.get("Access-Control-Allow-Origin")).toBeNull();
  });

  it("of GraphQL gets GraphQL's shape", async () => {
    const [, second] = await answersTo(
      profile(),
      headOf("POST /api/graphql", ["Content-Length: 0"]),
    );

    const extensions = { code: "service_unavailable", status: 503 };
    expect(second?.body).toEqual({ errors: [{ message: "Service unavailable", extensions }] });
  });

  it("is counted by its route and as a refusal", async () => {
    registry.resetMetrics();
    await answersTo(profile(), headOf("GET /api/claims?limit=1", []));

    const text = await registry.metrics();
    expect(text).toContain('http_requests_total{method="GET",route="/api/claims",status="503"} 1');
    expect(text).toContain(
      'http_request_duration_seconds_count{method="GET",route="/api/claims"} 1',
    );
    expect(text).toContain('parking_refusals_total{code="service_unavailable",status="503"} 1');
  });
});
