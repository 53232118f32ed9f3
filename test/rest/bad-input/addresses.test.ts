import { randomUUID } from "node:crypto";
import { request } from "node:http";
import { expect, it } from "@jest/globals";
import { routes } from "../../../src/contract/routes.ts";
import { methodsAt } from "../../support/methods.ts";
import { holdsForAll } from "../../support/table.ts";
import { useTarget } from "./cases.ts";

const target = useTarget();

interface Reply {
  readonly status: number | undefined;
  readonly allow: string | undefined;
  readonly body: string;
}

/** A request whose method and path are sent as they are; fetch() would normalise them. */
const ask = (
  method: string,
  path: string,
  headers: Readonly<Record<string, string | string[]>> = {},
): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const outgoing = request(target.building.service.origin, {
      method,
      path,
      headers: { Authorization: `Bearer ${target.person.token}`, ...headers },
    });
    outgoing.once("error", reject).once("response", (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (text) => {
        body += text;
      });
      response.once("end", () =>
        resolve({ status: response.statusCode, allow: response.headers.allow, body }),
      );
    });
    outgoing.end();
  });

const NOT_FOUND = { status: 404, body: '{"error":"Not found"}' };
const NOT_ALLOWED = { status: 405, body: '{"error":"Method not allowed"}' };

const paths = [...new Set(routes.map(({ path }) => path))];
const methods = [
  ...["GET", "POST", "PUT", "DELETE", "PATCH", "TRACE", "PROPFIND", "COPY", "LOCK", "SEARCH"],
  ...["REPORT", "MERGE", "LINK", "PURGE", "QUERY", "M-SEARCH", "SUBSCRIBE"],
];

it("a path answers 405 to every other method, and lists its own in Allow", () =>
  holdsForAll(paths, async (path) => {
    const own = methodsAt(path).flatMap((method) =>
      method === "GET" ? ["GET", "HEAD"] : [method],
    );
    for (const method of methods.filter((other) => !own.includes(other))) {
      const { allow = "", ...reply } = await ask(
        method,
        `/api${path.replace(":id", randomUUID())}`,
      );
      expect({ method, ...reply }).toEqual({ method, ...NOT_ALLOWED });
      expect(allow.split(", ").toSorted()).toEqual(own.toSorted());
    }
  }));

const nowhere = [
  ...["/api", "/api/", "/api//claims", "/api/claims/", "//api/claims", "/api/Claims"],
  ...["/API/claims", "/api/claim", "/api/claims.json", "/api/claims;v=1", "/api/./claims"],
  ...["/api/x/../claims", "/api/%2e%2e/livez", "/api/%63laims/x/y", "/api/claims%2f"],
  ...["/api/claims%00", "/api/claims%20", "/api/%ff", "/api/%zz", "/api/%"],
  ...["/api/\\claims", "/api/claims/x/y", "/api/__proto__", "/api/constructor"],
  ...["/api/admin", "/api/admin/claims", "/apiclaims", "/api/:id"],
  `/api/${"x".repeat(8000)}`,
  `/api/${"x/".repeat(4000)}`,
  `/api/${"../".repeat(2000)}`,
  `/api/${"%2e".repeat(2000)}`,
  ...["/apix", "/v1/api/claims", "/claims"],
];

it("an unknown address is 404", () =>
  holdsForAll(nowhere, async (path) => {
    for (const method of ["GET", "POST", "PUT", "DELETE", "PATCH", "TRACE"]) {
      const { status, body } = await ask(method, path);
      expect({ method, status, body }).toEqual({ method, ...NOT_FOUND });
    }
  }));

it("an address that is too long is refused, without a 5xx", async () => {
  const { status } = await ask("GET", `/api/claims?status=${"x".repeat(20_000)}`);
  expect([400, 414, 431]).toContain(status);
});
