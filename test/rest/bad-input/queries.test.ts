import { randomUUID } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import type { Route } from "../../../src/contract/route.ts";
import { type Failure, requestJson } from "../../support/person.ts";
import { holdsForAll } from "../../support/table.ts";
import { neededBy, refusalOf, routesByToken, useTarget } from "./cases.ts";
import { badIntegers, badTextsOf, badUuids, kinds } from "./values.ts";

const target = useTarget();

const ask = async (route: Route, query: string) => ({
  query,
  ...refusalOf(await target.send(route, { query, ...(route.body && { body: {} }) })),
});

/** Texts that cannot be sent as they are in a URL, encoded; halves of characters cannot at all. */
const encoded = (texts: readonly string[]): string[] =>
  texts.filter((text) => text.isWellFormed()).map(encodeURIComponent);

const parametersOf = ({ query }: Route) => Object.keys(query?.properties ?? {});

/** Every parameter of every query. */
const parameters = routesByToken.flatMap((route) =>
  parametersOf(route).map((name) => ({ name, path: route.path, route })),
);

describe("a query", () => {
  it("is refused for a bad value of each parameter, and names it", () =>
    holdsForAll(
      parameters.filter(({ name }) => name !== "offset"),
      async ({ name, path, route }) => {
        // The period of the board may begin and end within a day; those of reports are days.
        const kind = path === "/board" ? kinds.start_date : kinds[name];
        const values = ["", "%20", "%00", ...encoded(badTextsOf(kind))];
        const others = neededBy(route).filter((pair) => !pair.startsWith(`${name}=`));
        const queries = values.map((value) => `?${[`${name}=${value}`, ...others].join("&")}`);
        const refusals = await Promise.all(queries.map((query) => ask(route, query)));
        expect(refusals).toEqual(queries.map((query) => ({ query, status: 400, fields: [name] })));
      },
    ));

  it("is refused for a parameter that is given twice", () =>
    holdsForAll(parameters, async ({ name, route }) => {
      for (const query of [`?${name}=1&${name}=1`, `?${name}=&${name}`]) {
        expect(await ask(route, query)).toEqual({ query, status: 400, fields: [name] });
      }
    }));
});

const lists = routesByToken.filter((route) => parametersOf(route).includes("limit"));
const outOfBounds = { limit: ["0", "201", "1000000"], offset: ["1000001", "2147483648"] };

describe("the page of a list", () => {
  it.each(["limit", "offset"] as const)("is refused for a bad %s, and names it", (name) =>
    holdsForAll(lists, async (route) => {
      const values = ["", "%20", ...outOfBounds[name], ...encoded(badIntegers)];
      const queries = values.map((value) => `?${name}=${value}`);
      const refusals = await Promise.all(queries.map((query) => ask(route, query)));
      expect(refusals).toEqual(queries.map((query) => ({ query, status: 400, fields: [name] })));
    }),
  );

  it("is accepted at the limits of limit and offset", () =>
    holdsForAll(lists, async (route) => {
      const good = ["?limit=1&offset=0", "?limit=200&offset=1000000", "?limit=007", "?", "?&"];
      const answers = await Promise.all(good.map((query) => ask(route, query)));
      expect(answers).toEqual(good.map((query) => ({ query, status: 200, fields: [] })));
    }));
});

const unknownParameters: readonly (readonly [query: string, name: string])[] = [
  ["nonsense=1", "nonsense"],
  ["Limit=1", "Limit"],
  ["limit%20=1", "limit "],
  ["limit[]=1", "limit[]"],
  ["limit%00=1", "limit\u0000"],
  ["__proto__=1", "__proto__"],
  ["__proto__[limit]=1", "__proto__[limit]"],
  ["constructor=1", "constructor"],
  ["id=1", "id"],
  ["=1", ""],
  ["%ff=1", "\ufffd"],
  ["%zz=1", "%zz"],
  [`${"x".repeat(2000)}=1`, "x".repeat(2000)],
];

it("a query is refused for a parameter that it does not know, and names it", () =>
  holdsForAll(routesByToken, async (route) => {
    const cases = unknownParameters.map(([query, name]) => ({
      query: `?${[query, ...neededBy(route)].join("&")}`,
      name,
    }));
    expect(await Promise.all(cases.map(({ query }) => ask(route, query)))).toEqual(
      cases.map(({ query, name }) => ({ query, status: 400, fields: [name] })),
    );
  }));

const badIds = [
  ...encoded(badUuids),
  ...["%00", "%zz", "%ff", "%c3%28", "%2e%2e%2fclaims", "%5c", "*", "'", "1;2", "a=b"],
];

describe("an id in a path", () => {
  const withIds = routesByToken.filter(({ path }) => path.includes(":id"));
  const send = async (route: Route, id: string) =>
    requestJson<Failure>(
      target.building.service.origin,
      route.method,
      `/api${route.path.replace(":id", id)}?${neededBy(route).join("&")}`,
      { token: target.person.token, ...(route.body && { body: target.fieldsOf(route) }) },
    );

  it("is refused where it is malformed, and named", () =>
    holdsForAll(withIds, async (route) => {
      const refusals = await Promise.all(
        badIds.map(async (id) => ({ id, ...refusalOf(await send(route, id)) })),
      );
      expect(refusals).toEqual(badIds.map((id) => ({ id, status: 400, fields: ["id"] })));
    }));

  const absent: Readonly<Record<string, string>> = {
    "/admin/profiles/:id": "User profile not found",
    "/availabilities/:id": "Availability not found",
    "/claims/:id": "Claim not found",
    "/claims/:id/contacts": "Contact not found",
    "/notifications/:id": "Notification not found",
    "/parking-spots/:id": "Parking spot not found",
    "/spot-reports/:id": "Report not found",
  };

  it("is not found where it is unknown", () =>
    holdsForAll(withIds, async (route) => {
      const { status, body } = await send(route, randomUUID());
      const error =
        absent[route.path] ??
        absent[route.path.replace("/admin", "")] ??
        expect.stringMatching(/^[A-Z][a-z ]+ not found$/);
      expect({ status, error: body.error }).toEqual({ status: 404, error });
    }));
});
