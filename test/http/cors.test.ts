import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { readServiceConfig } from "../../src/config/config.ts";
import { createLogger } from "../../src/log/logger.ts";
import { type Service, startService } from "../../src/service.ts";
import { useBuilding } from "../support/building.ts";
import { requestJson } from "../support/person.ts";

const APP = "https://app.example.org";
const OTHER_APP = "http://localhost:5173";

const building = useBuilding({
  corsOrigins: [APP, OTHER_APP],
  rateLimits: { perMinute: 100 },
});
const person = building.shared("resident");

const send = (
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  token?: string,
) => requestJson(building.service.origin, method, path, { headers, ...(token && { token }) });

const preflight = (Origin: string, path = "/api/claims", method = "POST") =>
  send("OPTIONS", path, {
    Origin,
    "Access-Control-Request-Method": method,
    "Access-Control-Request-Headers": "authorization,content-type",
  });

const corsHeaders = (headers: Headers) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith("access-control-")));

describe("a preflight", () => {
  it.each([APP, OTHER_APP])("from %s is answered without a token", async (origin) => {
    const { status, headers, body } = await preflight(origin);

    expect(status).toBe(204);
    expect(body).toBeUndefined();
    expect(corsHeaders(headers)).toEqual({
      "access-control-allow-origin": origin,
      "access-control-allow-methods": "GET,HEAD,POST,PUT,DELETE",
      "access-control-allow-headers":
        "Authorization,Content-Type,Idempotency-Key,If-Match,If-None-Match,Last-Event-ID,X-Request-Id",
      "access-control-max-age": "7200",
    });
    expect(headers.get("Vary")).toBe("Origin");
  });

  it("is not charged to any limit", async () => {
    expect((await preflight(APP)).headers.has("X-RateLimit-Remaining")).toBe(false);
  });

  it.each([
    "https://app.example.com",
    "http://app.example.org",
    "https://app.example.org:8443",
    "https://app.example.org.evil.example",
    "https://evil.example/https://app.example.org",
    "https://sub.app.example.org",
    "HTTPS://APP.EXAMPLE.ORG",
    "null",
    "*",
  ])("from %s opens no door", async (origin) => {
    const { status, headers } = await preflight(origin);

    expect(status).toBe(401);
    expect(corsHeaders(headers)).toEqual({});
    expect(headers.get("Vary")).toBe("Origin");
  });

  it("is more than a plain OPTIONS", async () => {
    expect((await send("OPTIONS", "/api/claims", { Origin: APP })).status).toBe(401);
  });
});

const exposed =
  "ETag,Idempotent-Replayed,Location,Retry-After,WWW-Authenticate,X-Error-Code," +
  "X-RateLimit-Limit,X-RateLimit-Remaining,X-RateLimit-Reset,X-Request-Id";

describe("an answer", () => {
  it.each([
    { status: 200, path: "/api/claims" },
    { status: 400, path: "/api/claims?limit=0" },
    { status: 404, path: "/api/nowhere" },
    { status: 404, path: "/nowhere" },
    { status: 200, path: "/livez" },
  ])("may be read by pages of the origin: $status", async ({ status, path }) => {
    const answer = await send("GET", path, { Origin: APP }, person.token);

    expect(answer.status).toBe(status);
    expect(corsHeaders(answer.headers)).toEqual({
      "access-control-allow-origin": APP,
      "access-control-expose-headers": exposed,
    });
    expect(answer.headers.get("Vary")).toMatch(/^Origin\b/);
  });

  it.each(["not.a.token", undefined])("of 401 may be read as well: token %s", async (token) => {
    const { status, headers } = await send("GET", "/api/claims", { Origin: APP }, token);

    expect(status).toBe(401);
    expect(headers.get("Access-Control-Allow-Origin")).toBe(APP);
    expect(headers.get("Vary")).toBe("Origin");
  });

  it("cannot be read by other pages", async () => {
    const { status, headers } = await send(
      "GET",
      "/api/claims",
      { Origin: "https://evil.example" },
      person.token,
    );

    expect(status).toBe(200);
    expect(corsHeaders(headers)).toEqual({});
    expect(headers.get("Vary")).toBe("Origin, Authorization");
  });

  it("varies by Origin also for requests without one", async () => {
    const { headers } = await person.get("/claims", 200);

    expect(corsHeaders(headers)).toEqual({});
    expect(headers.get("Vary")).toBe("Origin, Authorization");
  });
});

describe("a service under development", () => {
  let service: Service;
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "parking-cors-"));
    const config = readServiceConfig({ PORT: "0", DATA_DIR: dataDir, CORS_ORIGINS: APP });
    service = await startService(config, createLogger("silent"));
  });
  afterAll(async () => {
    await service.stop();
    await rm(dataDir, { recursive: true });
  });

  const allowed = async (origin: string) => {
    const { headers } = await requestJson(service.origin, "OPTIONS", "/api/claims", {
      headers: { Origin: origin, "Access-Control-Request-Method": "GET" },
    });
    return headers.get("Access-Control-Allow-Origin");
  };

  it.each([APP, "http://localhost:5173", "http://127.0.0.1:8080", "http://[::1]:3001"])(
    "opens the door to %s",
    async (origin) => {
      expect(await allowed(origin)).toBe(origin);
    },
  );

  it.each(["https://evil.example", "http://localhost.evil.example", "http://192.0.2.1:5173"])(
    "opens no door to %s",
    async (origin) => {
      expect(await allowed(origin)).toBeNull();
    },
  );
});

describe("without CORS_ORIGINS", () => {
  const plain = useBuilding();

  it.each(["GET", "OPTIONS"])("no header allows an origin: %s", async (method) => {
    const { status, headers } = await requestJson(plain.service.origin, method, "/api/claims", {
      headers: { Origin: APP, "Access-Control-Request-Method": "GET" },
    });

    expect(status).toBe(401);
    expect(corsHeaders(headers)).toEqual({});
    expect(headers.has("Vary")).toBe(false);
  });
});
