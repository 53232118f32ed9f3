import { beforeAll, describe, expect, it } from "@jest/globals";
import { routes } from "../../src/contract/routes.ts";
import { actsOfResidents, type Change, changesIn } from "../support/acts.ts";
import { spotOf, useBuilding } from "../support/building.ts";
import { type Answer, type Failure, requestJson } from "../support/person.ts";
import { everything } from "../support/rows.ts";
import { holdsForAll } from "../support/table.ts";

const building = useBuilding();
beforeAll(() => building.administrator()); // who remains

type Asked = Pick<Change, "actor" | "request">;
const send = ({ actor, request: [method, path, body] }: Asked, tags: string) =>
  requestJson<Failure>(building.service.origin, method, `/api${path}`, {
    token: actor.token,
    headers: { "If-Match": tags },
    ...(body && { body }),
  });
const shownTag = async ({ actor, request, shownAt = request[1] }: Asked & Partial<Change>) =>
  (await actor.get(shownAt, 200)).headers.get("ETag") ?? "";

const expectStale = ({ status, headers, body }: Answer<Failure>) =>
  expect({ status, code: headers.get("X-Error-Code"), body }).toEqual({
    status: 412,
    code: "precondition_failed",
    body: { error: "It has changed since it was read: read it again" },
  });

describe("If-Match at every PUT and DELETE", () => {
  const names = routes
    .filter(({ method }) => method === "PUT" || method === "DELETE")
    .map(({ method, path }) => `${method} ${path}`);
  const makeChange = (name: string): Promise<Change> => {
    const make = changesIn(building)[name];
    if (make === undefined) throw new Error("there is no such change to try");
    return make();
  };

  it("with an old tag is refused and changes nothing; with the new one, or *, it is carried out", () =>
    holdsForAll(names, async (name) => {
      const change = await makeChange(name);
      const old = await shownTag(change);
      await change.other();
      const before = await everything(building);
      expectStale(await send(change, old));
      expect(await everything(building)).toEqual(before);

      expect((await send(change, await shownTag(change))).status).toBe(200);
      expect(await everything(building)).not.toEqual(before);
      expect((await send(await makeChange(name), "*")).status).toBe(200);
    }));
});

describe("If-Match", () => {
  const spotChange = async (change: object = { building_section: "South" }) => {
    const actor = await building.resident();
    const path = `/parking-spots/${(await spotOf(actor)).id}`;
    return { actor, request: ["PUT", path, change] } as const;
  };

  it("may have the tag among others, and weak, as nginx makes it when it compresses", () =>
    holdsForAll(['"one", TAG,"two"', "W/TAG"], async (tags) => {
      const change = await spotChange();
      const sent = tags.replace("TAG", await shownTag(change));
      expect((await send(change, sent)).status).toBe(200);
    }));

  it("is refused with nothing, and with another tag", async () => {
    for (const tags of ["", '"another"']) expectStale(await send(await spotChange(), tags));
  });

  it("comes after every other refusal", async () => {
    const change = await spotChange();
    const { spot_number } = await spotOf(await building.resident());
    const absent = "/parking-spots/00000000-0000-0000-0000-000000000000";
    await holdsForAll<readonly [status: number, Asked]>(
      [
        [400, await spotChange({ colour: 1 })],
        [409, await spotChange({ spot_number })],
        [403, { ...change, actor: await building.unapproved() }],
        [403, { ...change, actor: await building.resident() }],
        [404, { ...change, request: ["PUT", absent, { building_section: "South" }] }],
      ],
      async ([status, asked]) => {
        for (const tags of ['"old"', "*"]) expect((await send(asked, tags)).status).toBe(status);
      },
    );
  });
});

it("the Location of a POST leads to what was made, with its ETag", () => {
  const posts = Object.entries(actsOfResidents(building)).filter(([name]) =>
    /^POST (?!.calendar-feed|.claims.series)/.test(name),
  );
  return holdsForAll(posts, async ([, prepare]) => {
    const { actor, request } = await prepare();
    const made = await actor.post(request[1], request[2], 201);
    const location = made.headers.get("Location")?.replace("/api", "") ?? "";
    expect(location.startsWith(`${request[1]}/`)).toBe(true);
    const { body, headers } = await actor.get(location, 200);
    expect([body, headers.get("ETag")]).toEqual([made.body, made.headers.get("ETag")]);
    expect(headers.get("ETag")).toMatch(/^"[\w-]{43}"$/);
  });
});
