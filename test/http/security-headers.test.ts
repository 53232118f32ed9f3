import { expect, it } from "@jest/globals";
import { useBuilding } from "../support/building.ts";
import { exchange, headOf } from "../support/raw-socket.ts";

const building = useBuilding();
it.each([
  ["200 OK", "/livez", []],
  ["401 Unauthorized", "/api/claims", ["WWW-Authenticate: Bearer"]],
  ["404 Not Found", "/nowhere", []],
])("helmet's headers are these and no others on an answer %s", async (status, path, more) => {
  const request = headOf(`GET ${path}`, ["X-Request-Id: 1", "Connection: close"]);
  const answer = await exchange(building.service.origin, request);

  const [head = ""] = answer.split("\r\n\r\n");
  const lines = head
    .split("\r\n")
    .filter((line) => !/^(Date|Content-Length|X-Error-Code):/.test(line));
  // They do not upgrade http to https.
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
