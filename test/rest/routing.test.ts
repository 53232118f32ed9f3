import { describe, expect, it } from "@jest/globals";
import { routes } from "../../src/contract/routes.ts";
import { answerOf, refusal } from "../support/answers.ts";
import { requestJson } from "../support/person.ts";
import { holdsForAll } from "../support/table.ts";
import { neededBy, openedTarget, routesByToken } from "./bad-input/cases.ts";

const target = openedTarget();

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
    expect(answerOf(await ask("HEAD", "/api/nowhere", target.person.token))).toEqual({
      status: 404,
    });
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

it("Location of each POST is the address of a GET", () => {
  const addresses = routes.filter(({ method }) => method === "GET").map(({ path }) => path);
  const located = routes.flatMap(({ location = [] }) => location);
  expect(located).toContain("/claims/:id");
  expect(located.filter((it) => !addresses.includes(it))).toEqual([]);
});
