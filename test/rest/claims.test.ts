import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { answerOf, formatsOf, refusal } from "../support/answers.ts";
import {
  type Claim,
  claimOf,
  type Holding,
  holding,
  hours,
  offer,
  spotOf,
  useBuilding,
  windowOf,
} from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { backdate, backdateCreation, longAgo } from "../support/rows.ts";
import { bodyOf, type Change } from "./times.ts";

const building = useBuilding();
const stranger = building.shared("resident");
const administrator = building.shared("administrator");

const read = async (person: Person, { id }: Pick<Claim, "id">) =>
  (await person.get<{ claim: Claim }>(`/claims/${id}`, 200)).body.claim;
const put = async ({ claimer, claim }: Holding, change: object) =>
  (await claimer.put<{ claim: Claim }>(`/claims/${claim.id}`, change, 200)).body.claim;

it("POST /claims answers with the claim of the caller, with exactly its fields", async () => {
  const { claimer, window } = await offer(building);
  const times = { start_time: hours(2), end_time: hours(3) };
  const body = { availability_id: window.id, ...times };
  const answer = await claimer.post<{ claim: Claim }>("/claims", body, 201);
  const { claim } = answer.body;
  expect(Object.keys(answer.body)).toEqual(["claim"]);
  expect(claim).toMatchObject({ ...body, claimer_id: claimer.id, status: "active" });
  expect(formatsOf(claim)).toEqual({
    id: "uuid",
    availability_id: "uuid",
    claimer_id: "uuid",
    start_time: "time",
    end_time: "time",
    status: "text",
    created_at: "time",
    updated_at: "time",
  });
  expect(await read(claimer, claim)).toEqual(claim);
});

describe("PUT /claims/{id}", () => {
  it.each<Change>([
    { status: "completed" },
    { status: "cancelled" },
    { from: 2 },
    { to: 4 },
    { from: 2, to: 4 },
    { status: "active", from: 2 },
  ])("changes what is sent: %j", async (sent) => {
    const change = bodyOf(sent);
    const held = await holding(building);
    await backdateCreation(building, "claims", held.claim);
    const changed = await put(held, change);
    expect(changed).toEqual({
      ...held.claim,
      ...change,
      created_at: longAgo,
      updated_at: expect.not.stringMatching(longAgo),
    });
    expect(await read(held.claimer, held.claim)).toEqual(changed);
  });

  it.each(["active", "completed", "cancelled"])(
    "changes nothing without fields, nor with the status that it has: %s",
    async (status) => {
      const held = await holding(building);
      await put(held, { status });
      await backdateCreation(building, "claims", held.claim);
      const before = await read(held.claimer, held.claim);
      expect(await put(held, {})).toEqual(before);
      if (status === "active") expect(await put(held, { status })).toEqual(before);
      expect(await read(held.claimer, held.claim)).toEqual(before);
    },
  );

  it("without fields is refused to others, and of a claim that is not there", async () => {
    const { owner, claimer, claim } = await holding(building);
    for (const person of [owner, stranger, administrator])
      expect(answerOf(await person.put(`/claims/${claim.id}`, {}))).toEqual(
        refusal(403, "You can only update your own claims"),
      );
    expect(answerOf(await claimer.put(`/claims/${randomUUID()}`, {}))).toEqual(
      refusal(404, "Claim not found"),
    );
  });
});

it("DELETE /claims/{id} removes a claim, which is reported as cancelled, once", async () => {
  const { claimer, claim } = await holding(building);
  expect(answerOf(await claimer.delete(`/claims/${claim.id}`))).toEqual({
    status: 200,
    body: { message: expect.stringContaining("cancelled"), deleted_claim_id: claim.id },
  });
  for (const answer of [
    await claimer.get(`/claims/${claim.id}`),
    await claimer.delete(`/claims/${claim.id}`),
  ])
    expect(answerOf(answer)).toEqual(refusal(404, "Claim not found"));
});

describe("GET /claims", () => {
  let people: Readonly<Record<"ann" | "bob" | "administrator" | "nobody", Person>>;
  beforeAll(async () => {
    const [ann, bob] = [await building.resident(), await building.resident()];
    people = { ann, bob, administrator, nobody: stranger };
    for (const [owner, claimer] of [
      [ann, bob],
      [bob, ann],
      [ann, administrator],
      [administrator, bob],
    ] as const) {
      const spot = await spotOf(owner);
      for (const hour of [1, 3])
        await claimOf(claimer, await windowOf(owner, spot, hour, hour + 1));
    }
  });
  const list = async (person: Person, query: string) =>
    (await person.get<{ claims: readonly Claim[]; total: number }>(`/claims${query}`, 200)).body;

  it.each([
    ["ann", 6],
    ["bob", 6],
    ["administrator", 8],
    ["nobody", 0],
  ] as const)(
    "shows %s what the policies show, page by page, and by id: at least %i",
    async (who, count) => {
      const person = people[who];
      const sql = "select id from parking.claims order by start_time desc, id";
      const { rows } = await person.sql<{ id: string }>(sql);
      expect(rows.length).toBeGreaterThanOrEqual(count);
      for (const offset of [0, 1, 3, 5, 100]) {
        const { claims, total } = await list(person, `?limit=2&offset=${offset}`);
        expect(claims.map(({ id }) => id)).toEqual(
          rows.slice(offset, offset + 2).map(({ id }) => id),
        );
        expect(total).toBe(rows.length);
        for (const claim of claims) expect(await read(person, claim)).toEqual(claim);
      }
    },
  );

  it("finds a claim that began long ago among those that end later", async () => {
    const { owner, claimer, window, claim } = await holding(building);
    await backdate(building, "availabilities", window, -24 * 40, 2);
    await backdate(building, "claims", claim, -24 * 40, 2);
    const query = `?overlaps_start=${hours(0)}`;
    for (const person of [owner, claimer, administrator])
      expect((await list(person, query)).claims.map(({ id }) => id)).toContain(claim.id);
    expect((await list(stranger, query)).total).toBe(0);
  });
});
