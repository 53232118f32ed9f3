import { beforeAll, describe, expect, it } from "@jest/globals";
import { formatOf } from "../support/answers.ts";
import { useBuilding } from "../support/building.ts";
import { type Person, requestJson } from "../support/person.ts";

const building = useBuilding();
let resident: Person;
beforeAll(async () => {
  resident = await building.resident();
});

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

describe.each(outcomes)("an answer with status %d to %s %s", (status, method, path, options) => {
  it("is JSON, and says so", async () => {
    const { headers, ...answer } = await ask(method, path, options());

    expect(answer.status).toBe(status);
    expect(headers.get("Content-Type")).toBe("application/json; charset=utf-8");
  });

  it("carries the X-Request-Id of the request", async () => {
    const { headers } = await ask(method, path, {
      ...options(),
      headers: { "X-Request-Id": "trace-42" },
    });

    expect(headers.get("X-Request-Id")).toBe("trace-42");
  });
});

describe("X-Request-Id", () => {
  const idFor = async (headers: Readonly<Record<string, string>>) =>
    (await ask("GET", "/livez", { headers })).headers.get("X-Request-Id");

  it("is made where none is sent, anew each time", async () => {
    const [first, second] = [await idFor({}), await idFor({})];

    expect(formatOf(first)).toBe("uuid");
    expect(second).not.toBe(first);
  });

  it.each(["a", "00-4bf92f3577b34da6a3ce929d0e0e4736-00", "r:1/2+3=4_5.6", "x".repeat(128)])(
    "is echoed: %s",
    async (id) => {
      expect(await idFor({ "X-Request-Id": id })).toBe(id);
    },
  );

  it.each([
    ["is empty", ""],
    ["has white space", "a b"],
    ["has markup", "<script>alert(1)</script>"],
    ["has a tab", "a\tb"],
    ["is two", "a, b"],
    ["has letters beyond ASCII", "é"],
    ["is too long", "x".repeat(129)],
  ])("is made where the one sent %s", async (_case, id) => {
    expect(formatOf(await idFor({ "X-Request-Id": id }))).toBe("uuid");
  });
});
