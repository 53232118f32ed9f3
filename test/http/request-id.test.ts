import { describe, expect, it } from "@jest/globals";
import { formatOf } from "../support/answers.ts";
import { useBuilding } from "../support/building.ts";
import { requestJson } from "../support/person.ts";
import { holdsForAll } from "../support/table.ts";

const building = useBuilding();
const resident = building.shared("resident");

interface Options {
  readonly token?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
const ask = (method: string, path: string, options: Options = {}) =>
  requestJson(building.service.origin, method, path, options);

/** A request of every kind of outcome, by the status it gets. */
const outcomes: readonly (readonly [number, string, string, () => Options])[] = [
  [200, "GET", "/api/claims", () => ({ token: resident.token })],
  [200, "GET", "/livez", () => ({})],
  [400, "GET", "/api/claims?limit=0", () => ({ token: resident.token })],
  [401, "GET", "/api/claims", () => ({})],
  [403, "GET", "/api/admin/profiles", () => ({ token: resident.token })],
  [404, "GET", "/nowhere", () => ({})],
  [405, "DELETE", "/api/claims", () => ({ token: resident.token })],
];

it("every answer is JSON, says so, and carries the X-Request-Id of the request", () =>
  holdsForAll(outcomes, async ([status, method, path, options]) => {
    const answer = await ask(method, path, {
      ...options(),
      headers: { "X-Request-Id": "trace-42" },
    });

    expect(answer.status).toBe(status);
    expect(answer.headers.get("Content-Type")).toBe("application/json; charset=utf-8");
    expect(answer.headers.get("X-Request-Id")).toBe("trace-42");
  }));

describe("X-Request-Id", () => {
  const idFor = async (headers: Readonly<Record<string, string>>) =>
    (await ask("GET", "/livez", { headers })).headers.get("X-Request-Id");

  it("is made where none is sent, anew each time", async () => {
    const [first, second] = [await idFor({}), await idFor({})];

    expect(formatOf(first)).toBe("uuid");
    expect(second).not.toBe(first);
  });

  it("is echoed where it is a word", () =>
    holdsForAll(
      ["a", "00-4bf92f3577b34da6a3ce929d0e0e4736-00", "r:1/2+3=4_5.6", "x".repeat(128)],
      async (id) => expect(await idFor({ "X-Request-Id": id })).toBe(id),
    ));

  it("is made where the one sent is none", () =>
    holdsForAll(
      ["", "a b", "<script>alert(1)</script>", "a\tb", "a, b", "é", "x".repeat(129)],
      async (id) => expect(formatOf(await idFor({ "X-Request-Id": id }))).toBe("uuid"),
    ));
});
