import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import {
  answerOf,
  complaint,
  formatsOf,
  malformed,
  refusal,
  refusalOf,
} from "../support/answers.ts";
import { claimOf, hours, spotOf, useBuilding, windowOf } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { writePastRules } from "../support/rows.ts";
import { seen, tell, toldTo, type Wish, wishOf } from "../support/wishes.ts";

const building = useBuilding();
let administrator: Person;
let owner: Person;
let waiting: Person;
let other: Person;
beforeAll(async () => {
  administrator = await building.administrator();
  owner = await building.resident();
  [waiting, other] = [await building.resident(), await building.resident()];
});
afterEach(async () => {
  await building.rows("delete from parking.wishes");
  await building.rows("delete from parking.notifications");
});

const listOf = async (person: Person, query = "") =>
  (await person.get<{ wishes: Wish[]; total: number }>(`/wishes${query}`, 200)).body;

describe("POST /wishes", () => {
  it("answers with the wish, and where it is found", async () => {
    const { body, headers } = await waiting.post<{ wish: Wish }>(
      "/wishes",
      { start_time: hours(2), end_time: hours(4), building_section: "North" },
      201,
    );

    expect(formatsOf(body.wish)).toEqual({
      id: "uuid",
      start_time: "time",
      end_time: "time",
      building_section: "text",
      spot_id: "null",
      created_at: "time",
      updated_at: "time",
    });
    expect(headers.get("Location")).toBe(`/api/wishes/${body.wish.id}`);
    expect(await seen(waiting, body.wish)).toEqual(body.wish);
  });

  it.each([
    [{ start_time: hours(2) }, "end_time"],
    [{ start_time: hours(2), end_time: "tomorrow" }, "end_time"],
    [{ start_time: hours(2), end_time: hours(4), spot_id: "A-1" }, "spot_id"],
    [{ start_time: hours(2), end_time: hours(4), building_section: " " }, "building_section"],
    [{ start_time: hours(2), end_time: hours(4), claim_id: null }, "claim_id"],
  ])("refuses the form of %j", async (body, field) => {
    expect(complaint(await waiting.post("/wishes", body))).toEqual(malformed(field));
  });

  it("refuses times in the past or in the wrong order", async () => {
    const post = (from: number, to: number) =>
      waiting.post("/wishes", { start_time: hours(from), end_time: hours(to) });

    expect(answerOf(await post(4, 2))).toEqual(
      refusalOf("end_time", 400, "end_time must be after start_time"),
    );
    expect(answerOf(await post(-4, 2))).toEqual(
      refusalOf("start_time", 400, "start_time must be in the future"),
    );
  });

  it("refuses an unknown spot, and a spot with a section", async () => {
    const post = (place: object) =>
      waiting.post("/wishes", { start_time: hours(2), end_time: hours(4), ...place });
    const { id } = await spotOf(owner);

    expect(answerOf(await post({ spot_id: waiting.id }))).toEqual(
      refusal(404, "Parking spot not found"),
    );
    expect(answerOf(await post({ spot_id: id, building_section: "North" }))).toEqual(
      refusalOf("building_section", 400, "A wish is for a section or for a spot, not both"),
    );
  });

  it("is for approved residents", async () => {
    const person = await building.unapproved();
    const body = { start_time: hours(2), end_time: hours(4) };
    expect(answerOf(await person.post("/wishes", body))).toEqual(
      refusal(403, "Account not approved"),
    );
    expect(answerOf(await person.get("/wishes"))).toEqual(refusal(403, "Account not approved"));
  });

  it("refuses an eleventh open wish", async () => {
    for (let i = 0; i < 10; i++) await wishOf(waiting, 2 + i, 3 + i);
    expect(
      answerOf(await waiting.post("/wishes", { start_time: hours(2), end_time: hours(3) })),
    ).toEqual(refusal(409, "You wait for ten times already; withdraw one of these wishes first"));
    await wishOf(other);
  });
});

describe("GET /wishes", () => {
  it("lists the caller's own, latest start first, and nobody else's", async () => {
    const [first, last] = [await wishOf(waiting, 2, 4), await wishOf(waiting, 6, 8)];
    const { id } = await wishOf(other);

    expect(await listOf(waiting)).toEqual({ wishes: [last, first], total: 2 });
    expect(await listOf(waiting, `?start_date=${hours(5)}`)).toEqual({ wishes: [last], total: 1 });
    expect(await listOf(waiting, `?end_date=${hours(5)}`)).toEqual({ wishes: [first], total: 1 });
    expect(await listOf(administrator)).toEqual({ wishes: [], total: 0 });
    expect(answerOf(await administrator.get(`/wishes/${id}`))).toEqual(
      refusal(404, "Wish not found"),
    );
  });
});

describe("DELETE /wishes/{id}", () => {
  it("withdraws the caller's wish", async () => {
    const wish = await wishOf(waiting);

    expect(answerOf(await waiting.delete(`/wishes/${wish.id}`))).toEqual({
      status: 200,
      body: { message: "Wish withdrawn successfully", deleted_wish_id: wish.id },
    });
    expect(answerOf(await waiting.delete(`/wishes/${wish.id}`))).toEqual(
      refusal(404, "Wish not found"),
    );
  });

  it("does not find another's", async () => {
    const wish = await wishOf(waiting);
    for (const person of [other, administrator]) {
      expect(answerOf(await person.delete(`/wishes/${wish.id}`))).toEqual(
        refusal(404, "Wish not found"),
      );
    }
    expect(await seen(waiting, wish)).toEqual(wish);
  });

  it("resolves the notification about it", async () => {
    const wish = await wishOf(waiting);
    await windowOf(owner, await spotOf(owner));
    await tell(building);
    await waiting.delete(`/wishes/${wish.id}`, 200);
    expect(await toldTo(waiting)).toMatchObject([{ resolved_at: expect.any(String) }]);
  });
});

describe("the erasure of a person", () => {
  const erase = ({ id }: Person) => administrator.delete(`/admin/profiles/${id}?reason=Left`, 200);

  it("ends their wishes; what is over stays for the reports, without what they typed", async () => {
    const leaving = await building.resident();
    await wishOf(leaving, 2, 4);
    const over = await wishOf(leaving, 2, 4, { building_section: "Near Ada" });
    await writePastRules(building, "update parking.wishes set start_time = $2 where id = $1", [
      over.id,
      hours(-9),
    ]);

    await erase(leaving);

    expect(await building.rows("select id, building_section from parking.wishes")).toEqual([
      { id: over.id, building_section: null },
    ]);
  });

  it("leaves nobody a message with the number of their spot", async () => {
    const leaving = await building.resident();
    const spot = await spotOf(leaving);
    await wishOf(waiting);
    await windowOf(leaving, spot);
    await tell(building);
    expect(await toldTo(waiting)).toHaveLength(1);
    await erase(leaving);
    await tell(building);
    expect(await toldTo(waiting)).toEqual([]);
  });
});

describe("a claim that fits", () => {
  it("fulfils the wish, and resolves the notification about it", async () => {
    const wish = await wishOf(waiting);
    const window = await windowOf(owner, await spotOf(owner));
    await tell(building);

    const claim = await claimOf(waiting, window);

    expect(await seen(waiting, wish)).toMatchObject({ claim_id: claim.id });
    expect(await toldTo(waiting)).toMatchObject([{ resolved_at: expect.any(String) }]);
  });

  it("fulfils it once it is moved to fit", async () => {
    const window = await windowOf(owner, await spotOf(owner));
    const wish = await wishOf(waiting, 2, 4);
    const { claim } = (
      await waiting.post<{ claim: { id: string } }>(
        "/claims",
        { availability_id: window.id, start_time: hours(2), end_time: hours(3) },
        201,
      )
    ).body;
    expect(await seen(waiting, wish)).not.toHaveProperty("claim_id");

    await waiting.put(`/claims/${claim.id}`, { end_time: hours(4) }, 200);
    expect(await seen(waiting, wish)).toMatchObject({ claim_id: claim.id });
  });

  it.each([
    ["PUT /claims/{id}", (id: string) => waiting.put(`/claims/${id}`, { end_time: hours(4) }, 200)],
    [
      "an UPDATE",
      (id: string) =>
        waiting.sql("update parking.claims set end_time = $2 where id = $1", [id, hours(4)]),
    ],
  ] as const)("is not one that there was before the wish, for one more: %s", async (_, move) => {
    const [first, second] = [await spotOf(owner), await spotOf(owner)];
    const claim = await claimOf(waiting, await windowOf(owner, first));
    const wish = await wishOf(waiting, 2, 3);
    await move(claim.id);
    expect(await seen(waiting, wish)).not.toHaveProperty("claim_id");

    const next = await claimOf(waiting, await windowOf(owner, second));
    expect(await seen(waiting, wish)).toMatchObject({ claim_id: next.id });
  });

  it("leaves wishes of others, and for other places, open", async () => {
    const south = await wishOf(waiting, 2, 4, { building_section: "South" });
    const elsewhere = await wishOf(waiting, 2, 4, { spot_id: (await spotOf(owner)).id });
    const others = await wishOf(other);
    await claimOf(waiting, await windowOf(owner, await spotOf(owner)));
    for (const wish of [south, elsewhere]) {
      expect(await seen(waiting, wish)).not.toHaveProperty("claim_id");
    }
    expect(await seen(other, others)).not.toHaveProperty("claim_id");
  });

  it("makes room for another wish", async () => {
    for (let i = 0; i < 10; i++) await wishOf(waiting, 20 + i, 21 + i);
    await claimOf(waiting, await windowOf(owner, await spotOf(owner), 20, 22));
    await wishOf(waiting, 40, 41);
    await wishOf(waiting, 42, 43);
    await waiting.post("/wishes", { start_time: hours(44), end_time: hours(45) }, 409);
  });
});
