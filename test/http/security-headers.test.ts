import { beforeAll, describe, expect, it } from "@jest/globals";
import { useBuilding } from "../support/building.ts";
import { type Person, requestJson } from "../support/person.ts";
import { exchange, headOf } from "../support/raw-socket.ts";

const building = useBuilding();
let person: Person;
beforeAll(async () => {
  person = await building.resident();
});

describe("helmet's headers", () => {
  it.each([
    { status: 200, path: "/api/claims" },
    { status: 404, path: "/api/nowhere" },
    { status: 404, path: "/nowhere" },
    { status: 200, path: "/livez" },
    { status: 401, path: "/api/claims", token: "not.a.token" },
  ])("are on every answer: $status to $path", async ({ status, path, token = person.token }) => {
    const answer = await requestJson(building.service.origin, "GET", path, { token });

    expect(answer.status).toBe(status);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-security-policy": expect.stringContaining("default-src 'self'"),
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "strict-transport-security": "max-age=31536000",
      "x-content-type-options": "nosniff",
      "x-frame-options": "SAMEORIGIN",
    });
    expect(answer.headers.has("X-Powered-By")).toBe(false);
  });

  it.each([
    ["200 OK", "/livez", []],
    ["401 Unauthorized", "/api/claims", ["WWW-Authenticate: Bearer"]],
    ["404 Not Found", "/nowhere", []],
  ])("are these and no others on an answer %s", async (status, path, more) => {
    const request = headOf(`GET ${path}`, ["X-Request-Id: 1", "Connection: close"]);
    const answer = await exchange(building.service.origin, request);

    const [head = ""] = answer.split("\r\n\r\n");
    const lines = head
      .split("\r\n")
      .filter((line) => !/^(Date|Content-Length|X-Error-Code):/.test(line));
    expect(lines).toEqual([
      `HTTP/1.1 ${status}`,
      "Content-Security-Policy: default-src 'self';base-uri 'self';font-src 'self' https: data:;form-action 'self';frame-ancestors 'self';img-src 'self' data:;object-src 'none';script-src 'self';script-src-attr 'none';style-src 'self' https: 'unsafe-inline'",
      "Cross-Origin-Opener-Policy: same-origin",
      "Cross-Origin-Resource-Policy: same-origin",
      "Origin-Agent-Cluster: ?1",
      "Referrer-Policy: no-referrer",
      "Strict-Transport-Security: max-age=31536000",
      "X-Content-Type-Options: nosniff",
      "X-DNS-Prefetch-Control: off",
      "X-Download-Options: noopen",
      "X-Frame-Options: SAMEORIGIN",
      "X-Permitted-Cross-Domain-Policies: none",
      "X-XSS-Protection: 0",
      "Cache-Control: private, no-store",
      "X-Request-Id: 1",
      ...more,
      "Content-Type: application/json; charset=utf-8",
      "Connection: close",
    ]);
  });

  it("do not upgrade http to https", async () => {
    const { headers } = await person.get("/claims", 200);

    expect(headers.get("Content-Security-Policy")).not.toContain("upgrade-insecure-requests");
  });
});
