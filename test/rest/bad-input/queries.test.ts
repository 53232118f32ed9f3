import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import type { Route } from "../../../src/contract/route.ts";
import { type Failure, requestJson } from "../../support/person.ts";
import { named, neededBy, openTarget, refusalOf, type Target } from "./cases.ts";
import { badIntegers, badTextsOf, badUuids, kinds } from "./values.ts";

let target: Target;
beforeAll(async () => {
  target = await openTarget();
});
afterEach(() => target.expectUntouched());
afterAll(() => target.building.close());

const ask = async (route: Route, query: string) => ({
  query,
  ...refusalOf(await target.send(route, { query, ...(route.body && { body: {} }) })),
});

/** Texts that cannot be sent as they are in a URL, encoded; halves of characters cannot at all. */
const encoded = (texts: readonly string[]): string[] =>
  texts.filter((text) => text.isWellFormed()).map(encodeURIComponent);

describe.each(named(({ query }) => query !== undefined))("the query of %s", (_name, route) => {
  const parameters = Object.keys(route.query?.properties ?? {});
  const filters = parameters.filter((name) => name !== "offset");

  it.each(filters)("is refused for a bad %s, and names it", async (name) => {
    // The period of the board may begin and end within a day; those of reports are days.
    const kind = route.path === "/board" ? kinds.start_date : kinds[name];
    const values = ["", "%20", "%00", ...encoded(badTextsOf(kind))];
    const others = neededBy(route).filter((pair) => !pair.startsWith(`${name}=`));
    const queries = values.map((value) => `?${[`${name}=${value}`, ...others].join("&")}`);
    const refusals = await Promise.all(queries.map((query) => ask(route, query)));
    expect(refusals).toEqual(queries.map((query) => ({ query, status: 400, fields: [name] })));
  });

  it.each(parameters)("is refused for a %s that is given twice", async (name) => {
    for (const query of [`?${name}=1&${name}=1`, `?${name}=&${name}`]) {
      expect(await ask(route, query)).toEqual({ query, status: 400, fields: [name] });
    }
  });
});

const isList = ({ query }: Route): boolean => query !== undefined && "limit" in query.properties;

describe.each(named(isList))("the page of %s", (_name, route) => {
  it.each([
    ["limit", ["0", "201", "1000000"]],
    ["offset", ["1000001", "2147483648"]],
  ])("is refused for a bad %s, and names it", async (name, outOfBounds) => {
    const values = ["", "%20", ...outOfBounds, ...encoded(badIntegers)];
    const refusals = await Promise.all(values.map((value) => ask(route, `?${name}=${value}`)));
    expect(refusals).toEqual(
      values.map((value) => ({ query: `?${name}=${value}`, status: 400, fields: [name] })),
    );
  });

  it("is accepted at the limits of limit and offset", async () => {
    for (const query of [
      "?limit=1&offset=0",
      "?limit=200&offset=1000000",
      "?limit=007",
      "?",
      "?&",
    ]) {
      expect(await ask(route, query)).toEqual({ query, status: 200, fields: [] });
    }
  });
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

describe.each(named(() => true))("the query of %s", (_name, route) => {
  it("is refused for a parameter that it does not know, and names it", async () => {
    const cases = unknownParameters.map(([query, name]) => ({
      query: `?${[query, ...neededBy(route)].join("&")}`,
      name,
    }));
    expect(await Promise.all(cases.map(({ query }) => ask(route, query)))).toEqual(
      cases.map(({ query, name }) => ({ query, status: 400, fields: [name] })),
    );
  });
});

const badIds = [
  ...encoded(badUuids),
  ...["%00", "%zz", "%ff", "%c3%28", "%2e%2e%2fclaims", "%5c", "*", "'", "1;2", "a=b"],
];

describe.each(named(({ path }) => path.includes(":id")))("the id of %s", (_name, route) => {
  const send = async (id: string) =>
    requestJson<Failure>(
      target.building.service.origin,
      route.method,
      `/api${route.path.replace(":id", id)}?${neededBy(route).join("&")}`,
      { token: target.person.token, ...(route.body && { body: target.fieldsOf(route) }) },
    );

  it("is refused where it is malformed, and named", async () => {
    const refusals = await Promise.all(
      badIds.map(async (id) => ({ id, ...refusalOf(await send(id)) })),
    );
    expect(refusals).toEqual(badIds.map((id) => ({ id, status: 400, fields: ["id"] })));
  });

  it("is not found where it is unknown", async () => {
    const { status, body } = await send(randomUUID());
    expect({ status, error: body.error }).toEqual({
      status: 404,
      error: expect.stringMatching(/^[A-Z][a-z ]+ not found$/),
    });
  });
});
