import { beforeEach, describe, expect, it } from "@jest/globals";
import { complaint, malformed } from "../support/answers.ts";
import { type Spot, spotOf, useBuilding } from "../support/building.ts";
import { type Answer, type Failure, requestJson } from "../support/person.ts";
import { everything } from "../support/rows.ts";

const building = useBuilding();
const owner = building.shared("resident");
let spot: Spot;
beforeEach(async () => {
  spot = await spotOf(owner);
});

const conditions = ["If-Match", "If-None-Match"] as const;
type Condition = (typeof conditions)[number];

const send = (
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: object,
) =>
  requestJson<Failure>(building.service.origin, method, `/api${path}`, {
    token: owner.token,
    headers,
    ...(body && { body }),
  });
const change = (headers: Readonly<Record<string, string>>) =>
  send("PUT", `/parking-spots/${spot.id}`, headers, { building_section: "South" });
const tagNow = async () =>
  (await owner.get(`/parking-spots/${spot.id}`, 200)).headers.get("ETag") ?? "";

/** By these a request is refused, and changes nothing. */
async function expectRefused(asked: Promise<Answer<Failure>>, header: Condition) {
  const before = await everything(building);
  expect(complaint(await asked)).toEqual(malformed(header));
  expect(await everything(building)).toEqual(before);
}

describe("a condition that would be ignored is refused:", () => {
  it.each(["*", '"a-tag"', ""])("If-None-Match: %s of a change", async (tags) => {
    await expectRefused(change({ "If-None-Match": tags }), "If-None-Match");
    const removal = send("DELETE", `/parking-spots/${spot.id}`, { "If-None-Match": tags });
    await expectRefused(removal, "If-None-Match");
  });

  it.each(conditions)("%s of a POST", async (name) => {
    const body = { spot_number: "conditional", building_section: "North" };
    await expectRefused(send("POST", "/parking-spots", { [name]: "*" }, body), name);
  });

  it.each(["GET", "HEAD"])("If-Match of a %s", async (method) => {
    const { status, headers } = await send(method, "/parking-spots", { "If-Match": "*" });
    expect([status, headers.get("X-Error-Code")]).toEqual([400, "validation_failed"]);
    expect(headers.get("ETag")).toBeNull();
    expect(headers.get("Cache-Control")).toBe("private, no-store");
  });

  it.each(conditions)("%s of GraphQL", async (name) => {
    const input = `{ id: "${spot.id}", buildingSection: "South" }`;
    const query = `mutation { updateSpot(input: ${input}) { spot { id } } }`;
    const { status, body } = await send("POST", "/graphql", { [name]: "*" }, { query });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      errors: [
        { extensions: { code: "validation_failed", details: { [name]: expect.anything() } } },
      ],
    });
  });
});

describe("a list of tags", () => {
  it.each<[what: string, list: (tag: string) => string]>([
    ["text around a tag", (tag) => `x${tag}x`],
    ["text before a tag", (tag) => `x, ${tag} y`],
    ["no comma", (tag) => `"other" ${tag}`],
    ["nothing between two tags", (tag) => `"other"${tag}`],
    ["a tag without its quotes", (tag) => tag.slice(1, -1)],
    ["a tag without its last quote", (tag) => tag.slice(0, -1)],
    ["a space in a tag", (tag) => `"an other", ${tag}`],
    ["a small w", (tag) => `w/${tag}`],
    ["a space after W/", (tag) => `W/ ${tag}`],
    ["* among tags", (tag) => `*, ${tag}`],
    ["two *", () => "*, *"],
  ])("with %s is malformed", async (_what, list) => {
    const tag = await tagNow();
    await expectRefused(change({ "If-Match": list(tag) }), "If-Match");
    const path = `/parking-spots/${spot.id}`;
    await expectRefused(send("GET", path, { "If-None-Match": list(tag) }), "If-None-Match");
  });

  it.each<[what: string, list: (tag: string) => string]>([
    ["no spaces", (tag) => `"a,b",${tag},W/""`],
    ["empty elements", (tag) => `,, ${tag} ,\t,`],
    ["spaces around", (tag) => `  \t${tag}  `],
    ["every character that a tag may have", (tag) => `"!#$%&'()*+,-./:;<=>?@[\\]^_\`{|}~", ${tag}`],
  ])("may have %s", async (_what, list) => {
    const tag = await tagNow();
    const path = `/parking-spots/${spot.id}`;
    expect((await send("GET", path, { "If-None-Match": list(tag) })).status).toBe(304);
    expect((await change({ "If-Match": list(tag) })).status).toBe(200);
  });

  it("may be as long as headers are, and is read at once", async () => {
    const lists = [`${" ".repeat(15_000)}x`, `,${" ,".repeat(7_000)}x`, '"'.repeat(15_001)];
    for (const list of lists) {
      expect((await change({ "If-Match": `"a"${list}` })).status).toBe(400);
    }
  });
});
