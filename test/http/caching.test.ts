import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { routes } from "../../src/contract/routes.ts";
import { offer, type Spot, spotOf, useBuilding } from "../support/building.ts";
import { requestJson } from "../support/person.ts";

const building = useBuilding();
const resident = building.shared("resident");
let spot: Spot;
beforeEach(async () => {
  spot = await spotOf(resident);
});

const read = (
  headers: Readonly<Record<string, string>> = {},
  { method = "GET", path = `/parking-spots/${spot.id}`, person = resident } = {},
) =>
  requestJson<{ spot: Spot }>(building.service.origin, method, `/api${path}`, {
    token: person.token,
    headers,
  });

const tagOf = async () => (await read()).headers.get("ETag") ?? "";

describe("an answer to GET", () => {
  it("may be stored only by its caller, who revalidates on every use", async () => {
    const { headers } = await read();

    expect(headers.get("Cache-Control")).toBe("private, no-cache");
    expect(headers.get("Vary")).toBe("Authorization");
    expect(headers.get("ETag")).toMatch(/^"[\w-]{43}"$/);
  });

  it("has the same tag until it changes", async () => {
    const tag = await tagOf();
    expect(await tagOf()).toBe(tag);

    await resident.put(`/parking-spots/${spot.id}`, { building_section: "South" }, 200);

    expect(await tagOf()).not.toBe(tag);
  });

  it("has another tag for another caller", async () => {
    const other = await building.resident();
    const tag = (await read({}, { path: "/profile" })).headers.get("ETag") ?? "";

    const answer = await read({ "If-None-Match": tag }, { path: "/profile", person: other });

    expect(answer.status).toBe(200);
  });
});

describe("an answer about persons", () => {
  it("is each that has a name, an address or a phone number", () => {
    const telling = routes.filter(
      ({ method, answer }) =>
        method === "GET" &&
        /"(full_name|email|phone_number|access_notes)":/.test(JSON.stringify(answer)),
    );
    expect(telling.length).toBeGreaterThan(3);
    expect(telling.filter(({ personal }) => !personal)).toEqual([]);
  });

  it.each([
    "/profile",
    "/dashboard",
    "/claims/:id/contacts",
    "/notifications",
    "/notifications/:id",
    "/admin/profiles",
    "/admin/profiles/:id",
  ])("is stored by no cache, and has a tag for If-Match: %s", async (template) => {
    const administrator = await building.administrator();
    const { owner, window } = await offer(building);
    const { id: availability_id, start_time, end_time } = window;
    const times = { availability_id, start_time, end_time };
    const { body } = await resident.post<{ claim: { id: string } }>("/claims", times, 201);
    const told = await owner.get<{ notifications: { id: string }[] }>("/notifications", 200);
    const ids: Readonly<Record<string, string | undefined>> = {
      claims: body.claim.id,
      notifications: told.body.notifications[0]?.id,
      admin: owner.id,
    };
    const path = template.replace(":id", ids[template.split("/")[1] ?? ""] ?? "");
    const person = template.startsWith("/admin") ? administrator : owner;

    const { status, headers } = await read({}, { path, person });

    expect(status).toBe(200);
    expect(headers.get("Cache-Control")).toBe("private, no-store");
    const tag = headers.get("ETag") ?? "";
    expect(tag).toMatch(/^"[\w-]{43}"$/);
    const again = await read({ "If-None-Match": tag }, { path, person });
    expect([again.status, again.headers.get("Cache-Control")]).toEqual([304, "private, no-store"]);
  });
});

describe("If-None-Match", () => {
  it.each([
    ["the tag", (tag: string) => tag],
    ["the tag made weak by a proxy", (tag: string) => `W/${tag}`],
    ["a list with the tag", (tag: string) => `"other", W/"an,other" ,${tag}`],
    ["a list without spaces", (tag: string) => `"other",${tag},"another"`],
    ["*", () => "*"],
  ])("of %s gets no body", async (_case, header) => {
    const tag = await tagOf();

    const { status, headers, body } = await read({ "If-None-Match": header(tag) });

    expect(status).toBe(304);
    expect(body).toBeUndefined();
    expect(headers.get("ETag")).toBe(tag);
    expect(headers.get("Cache-Control")).toBe("private, no-cache");
    expect(headers.get("Vary")).toBe("Authorization");
    expect(headers.has("Content-Type")).toBe(false);
    expect(headers.has("Content-Length")).toBe(false);
  });

  it.each([
    ["another tag", () => '"other"'],
    ["nothing", () => ""],
    ["a part of the tag", (tag: string) => `${tag.slice(0, -2)}"`],
    ["a tag that contains the tag", (tag: string) => `"a${tag.slice(1)}`],
  ])("of %s gets all of it", async (_case, header) => {
    const { status, body } = await read({ "If-None-Match": header(await tagOf()) });

    expect(status).toBe(200);
    expect(body).toEqual({ spot });
  });

  it("works with the Cache-Control that a script's fetch() adds", async () => {
    const tag = await tagOf();

    const answer = await read({ "If-None-Match": tag, "Cache-Control": "no-cache" });

    expect(answer.status).toBe(304);
  });

  it("does not turn a failure into a success", async () => {
    const path = `/parking-spots/${randomUUID()}`;

    expect((await read({ "If-None-Match": "*" }, { path })).status).toBe(404);
  });
});

it("HEAD answers 304 too", async () => {
  const tag = await tagOf();

  expect((await read({ "If-None-Match": tag }, { method: "HEAD" })).status).toBe(304);
});

describe("an answer to anything else is never stored:", () => {
  const send = (method: string, path: string, body?: unknown, token = resident.token) =>
    requestJson(building.service.origin, method, path, { token, body });

  it.each([
    [201, "POST", "/api/parking-spots", { spot_number: "C1", building_section: "C" }],
    [200, "PUT", "/api/profile", { apartment_number: "9" }],
    [200, "OPTIONS", "/api/claims", undefined],
    [400, "GET", "/api/claims?limit=0", undefined],
    [404, "GET", "/api/nowhere", undefined],
    [404, "GET", "/nowhere", undefined],
    [405, "PATCH", "/api/claims", undefined],
    [200, "GET", "/livez", undefined],
    [200, "GET", "/readyz", undefined],
  ])("%d %s %s", async (status, method, path, body) => {
    const answer = await send(method, path, body);

    expect(answer.status).toBe(status);
    expect(answer.headers.get("Cache-Control")).toBe("private, no-store");
    // What a POST has made has a tag, for If-Match.
    expect(answer.headers.has("ETag")).toBe(status === 201);
  });

  it("401", async () => {
    const answer = await send("GET", "/api/claims", undefined, "not.a.token");

    expect(answer.status).toBe(401);
    expect(answer.headers.get("Cache-Control")).toBe("private, no-store");
  });

  it("a deletion", async () => {
    const { headers } = await resident.delete(`/parking-spots/${spot.id}`, 200);

    expect(headers.get("Cache-Control")).toBe("private, no-store");
  });
});
