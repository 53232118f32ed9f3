import { beforeAll, describe, expect, it } from "@jest/globals";
import { routes } from "../../src/contract/routes.ts";
import { answerOf, refusal } from "../support/answers.ts";
import { hours, spotOf, windowOf } from "../support/building.ts";
import { type Person, requestJson } from "../support/person.ts";
import { holdsForAll } from "../support/table.ts";
import { neededBy, openedTarget, routesByToken } from "./bad-input/cases.ts";

const target = openedTarget();
let owner: Person;
beforeAll(async () => {
  owner = await target.building.resident();
});

/** A request to any path of the service, with or without a token. */
const ask = (method: string, path: string, token?: string) =>
  requestJson(target.building.service.origin, method, path, {
    ...(token !== undefined && { token }),
  });

describe("an unknown path", () => {
  it("needs no token outside the base path", () =>
    holdsForAll(["/", "/apix", "/API/claims", "//api/claims", "/claims"], async (path) =>
      expect(answerOf(await ask("GET", path))).toEqual(refusal(404, "Not found")),
    ));

  it("is answered without a body for HEAD", async () => {
    expect(answerOf(await ask("HEAD", "/api/nowhere", owner.token))).toEqual({ status: 404 });
  });
});

it("a wrong method is refused without a token where a path needs none", () =>
  holdsForAll(["/livez", "/docs", "/api/openapi.json", "/api/unsubscribe"], async (path) => {
    const answer = await ask("PUT", path);
    expect(answerOf(answer)).toEqual(refusal(405, "Method not allowed"));
    expect(answer.headers.get("Allow")).toMatch(/^HEAD, GET/);
    expect((await ask("OPTIONS", path)).status).toBe(200);
  }));

describe("HEAD", () => {
  it("answers as GET does, without the body", () =>
    holdsForAll(
      routesByToken.filter(({ method, stream }) => method === "GET" && !stream),
      async (route) => {
        const url = `${target.pathOf(route)}?${neededBy(route).join("&")}`;
        const get = await ask("GET", url, target.person.token);
        const head = await ask("HEAD", url, target.person.token);

        expect(get.status).toBe(200);
        expect(answerOf(head)).toEqual({ status: 200 });
        for (const name of ["Content-Type", "Content-Length"]) {
          expect(head.headers.get(name)).toBe(get.headers.get(name));
        }
      },
    ));
});

describe("Location", () => {
  it("leads to what was made", async () => {
    const newcomer = await target.building.newcomer();
    const spot = await spotOf(owner);
    const { id, start_time, end_time } = await windowOf(owner, spot, 1, 2);
    const made = [
      [owner, "/parking-spots", { spot_number: "L-1", building_section: "North" }],
      [owner, "/availabilities", { spot_id: spot.id, start_time: hours(3), end_time: hours(4) }],
      [target.person, "/claims", { availability_id: id, start_time, end_time }],
      [newcomer, "/profile", { apartment_number: "2B" }],
    ] as const;
    await holdsForAll(made, async ([person, path, body]) => {
      const { headers, body: row } = await person.post<object>(path, body, 201);
      const location = headers.get("Location") ?? "";
      expect(location).toMatch(new RegExp(`^/api${path}(/[-0-9a-f]{36})?$`));
      expect(answerOf(await ask("GET", location, person.token))).toEqual({
        status: 200,
        body: row,
      });
    });
  });

  it("of each POST is the address of a GET", () => {
    const addresses = routes.filter(({ method }) => method === "GET").map(({ path }) => path);
    const located = routes.flatMap(({ location = [] }) => location);
    expect(located).toContain("/claims/:id");
    expect(located.filter((it) => !addresses.includes(it))).toEqual([]);
  });
});
