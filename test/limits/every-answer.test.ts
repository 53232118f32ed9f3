import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { withClient } from "../../src/database/client.ts";
import { type Spot, spotOf, useBuilding } from "../support/building.ts";
import { dashboardThatRuns } from "../support/dashboard.ts";
import { type Person, requestJson } from "../support/person.ts";
import { holdsForAll } from "../support/table.ts";
import { noRate, rateOf, statuses, times } from "./rates.ts";

const building = useBuilding({ rateLimits: { perMinute: 100, perHour: 1000 } });
const resident = building.shared("resident");
const unapproved = building.shared("unapproved");
let taken: Spot;
beforeAll(async () => {
  taken = await spotOf(resident);
  await withClient(building.database.url("parking_owner"), (owner) =>
    owner.query(`
      ${dashboardThatRuns("raise sqlstate 'XX000';")}
      create or replace function api.get_spot(id uuid) returns setof parking.spots
        language plpgsql as $$ begin raise sqlstate '57014'; end $$`),
  );
});

interface Extras {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const send = (person: Person, method: string, path: string, extras: Extras = {}) =>
  requestJson(building.service.origin, method, `/api${path}`, { token: person.token, ...extras });

type Case = readonly [status: number, request: string, extras?: () => Extras];

describe("an answer to somebody with a token", () => {
  const spot = (spot_number: string) => ({ spot_number, building_section: "North" });
  const cases: readonly Case[] = [
    [200, "GET /claims"],
    [200, "HEAD /claims"],
    [200, "OPTIONS /claims"],
    [201, "POST /parking-spots", () => ({ body: spot("new") })],
    [304, "GET /claims", () => ({ headers: { "If-None-Match": "*" } })],
    [400, "GET /claims?limit=0"],
    [400, "POST /claims", () => ({ body: "{" })],
    [404, "GET /nowhere"],
    [404, `GET /claims/${randomUUID()}`],
    [405, "PATCH /claims"],
    [409, "POST /parking-spots", () => ({ body: spot(taken.spot_number) })],
    [413, "POST /claims", () => ({ body: { a: "a".repeat(200_000) } })],
    [415, "POST /claims", () => ({ body: "a", headers: { "Content-Type": "text/plain" } })],
    [500, "GET /dashboard"],
    [503, `GET /parking-spots/${randomUUID()}`], // it took too long
  ];

  it("has the rate, and counts", () =>
    holdsForAll(cases, async ([status, request, extras]) => {
      const { remaining = 0 } = rateOf(await send(resident, "GET", "/nowhere"));

      const [method = "", path = ""] = request.split(" ");
      const answer = await send(resident, method, path, extras?.());

      expect(answer.status).toBe(status);
      expect(rateOf(answer)).toMatchObject({ limit: 100, remaining: remaining - 1 });
    }));

  it("has the rate and counts: 403 for an account that is not approved", async () => {
    const answers = await times(2, () => send(unapproved, "GET", "/claims"));

    expect(statuses(answers)).toEqual({ 403: 2 });
    expect(answers.map(rateOf)).toMatchObject([{ remaining: 98 }, { remaining: 97 }]);
  });
});

it.each(["/api/claims", "/api/nowhere", "/livez", "/readyz", "/nowhere"])(
  "an answer to a request without a token has no rate: %s",
  async (path) => {
    expect(rateOf(await requestJson(building.service.origin, "GET", path))).toEqual(noRate);
  },
);

it("requests that are refused for their form use up the minute like all others", async () => {
  const person = await building.newcomer();
  const answers = await times(101, () => send(person, "GET", "/claims?limit=0"));

  expect(statuses(answers)).toEqual({ 400: 100, 429: 1 });
});

describe("too many requests come before", () => {
  const exhausted = building.shared("newcomer");
  beforeAll(async () => {
    await times(100, () => send(exhausted, "GET", "/nowhere"));
  });

  it.each([
    ["an unknown path", "GET", "/nowhere", undefined],
    ["a wrong method", "PATCH", "/claims", undefined],
    ["a malformed query", "GET", "/claims?limit=0", undefined],
    ["a body that is not JSON", "POST", "/claims", "{"],
    ["the account", "GET", "/claims", undefined],
  ])("%s", async (_case, method, path, body) => {
    expect((await send(exhausted, method, path, { body })).status).toBe(429);
  });
});
