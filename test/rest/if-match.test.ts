import { beforeAll, describe, expect, it } from "@jest/globals";
import { routes } from "../../src/contract/routes.ts";
import { hours, offer, spotOf, useBuilding } from "../support/building.ts";
import { type Change, changesIn } from "../support/changes.ts";
import { type Answer, type Failure, type Person, requestJson } from "../support/person.ts";
import { everything } from "../support/rows.ts";
import { holdsForAll } from "../support/table.ts";

const building = useBuilding();
let administrator: Person;
beforeAll(async () => {
  administrator = await building.administrator();
});

const send = (method: string, { person, path, body }: Change, tags: string) =>
  requestJson<Failure>(building.service.origin, method, `/api${path}`, {
    token: person.token,
    headers: { "If-Match": tags },
    ...(body && { body }),
  });
const shownTag = async ({ person, path, shownAt = path }: Change): Promise<string> =>
  (await person.get(shownAt, 200)).headers.get("ETag") ?? "";

const expectStale = ({ status, headers, body }: Answer<Failure>) =>
  expect({ status, code: headers.get("X-Error-Code"), body }).toEqual({
    status: 412,
    code: "precondition_failed",
    body: { error: "It has changed since it was read: read it again" },
  });

describe("If-Match at every PUT and DELETE", () => {
  const changes = routes
    .filter(({ method }) => method === "PUT" || method === "DELETE")
    .map(({ method, path }) => ({ method, name: `${method} ${path}` }));
  const makeChange = (name: string): Promise<Change> => {
    const make = changesIn(building, administrator)[name];
    if (make === undefined) throw new Error("there is no such change to try");
    return make();
  };

  it("with an old tag is refused and changes nothing; with the new one it is carried out", () =>
    holdsForAll(changes, async ({ method, name }) => {
      const change = await makeChange(name);
      const old = await shownTag(change);
      await change.other();
      const before = await everything(building);
      expectStale(await send(method, change, old));
      expect(await everything(building)).toEqual(before);

      expect((await send(method, change, await shownTag(change))).status).toBe(200);
      expect(await everything(building)).not.toEqual(before);
    }));

  it("may be *", () =>
    holdsForAll(changes, async ({ method, name }) => {
      expect((await send(method, await makeChange(name), "*")).status).toBe(200);
    }));
});

describe("If-Match", () => {
  const spotChange = async (): Promise<Change> => {
    const person = await building.resident();
    const path = `/parking-spots/${(await spotOf(person)).id}`;
    return { person, path, body: { building_section: "South" }, other: async () => {} };
  };

  it.each([
    ["among others", (tag: string) => `"one", ${tag},"two"`],
    ["weak, as nginx makes it when it compresses", (tag: string) => `W/${tag}`],
  ])("may have the tag %s", async (_what, tags) => {
    const change = await spotChange();
    expect((await send("PUT", change, tags(await shownTag(change)))).status).toBe(200);
  });

  it.each([
    ["nothing", () => ""],
    ["another tag", () => '"another"'],
  ])("is refused with %s", async (_what, tags) => {
    const change = await spotChange();
    expectStale(await send("PUT", change, tags()));
  });

  it.each([
    ["a malformed request", 400, async () => ({ ...(await spotChange()), body: { colour: 1 } })],
    [
      "a rule",
      409,
      async () => {
        const change = await spotChange();
        const { spot_number } = await spotOf(change.person);
        return { ...change, body: { spot_number } };
      },
    ],
    [
      "the account",
      403,
      async () => ({ ...(await spotChange()), person: await building.unapproved() }),
    ],
    [
      "the owner",
      403,
      async () => ({ ...(await spotChange()), person: await building.resident() }),
    ],
    [
      "a row that is not there",
      404,
      async () => ({
        ...(await spotChange()),
        path: "/parking-spots/00000000-0000-0000-0000-000000000000",
      }),
    ],
  ])("comes after the refusal of %s", async (_what, status, make) => {
    const change = await make();
    expect((await send("PUT", change, '"old"')).status).toBe(status);
    expect((await send("PUT", change, "*")).status).toBe(status);
  });
});

describe("the ETag of a POST", () => {
  it.each([
    [
      "/profile",
      async () => ({ person: await building.newcomer(), body: { apartment_number: "1" } }),
    ],
    [
      "/parking-spots",
      async () => ({
        person: await building.resident(),
        body: { spot_number: "ETag", building_section: "North" },
      }),
    ],
    [
      "/availabilities",
      async () => {
        const person = await building.resident();
        const { id } = await spotOf(person);
        return { person, body: { spot_id: id, start_time: hours(1), end_time: hours(2) } };
      },
    ],
    [
      "/claims",
      async () => {
        const { claimer, window } = await offer(building);
        const { id, start_time, end_time } = window;
        return { person: claimer, body: { availability_id: id, start_time, end_time } };
      },
    ],
  ])("is that of its Location: %s", async (path, make) => {
    const { person, body } = await make();
    const { headers } = await person.post(path, body, 201);
    const location = headers.get("Location")?.replace("/api", "") ?? "";
    expect(headers.get("ETag")).toMatch(/^"[\w-]{43}"$/);
    expect((await person.get(location, 200)).headers.get("ETag")).toBe(headers.get("ETag"));
  });
});
