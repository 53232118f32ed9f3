import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { answerOf, formatsOf, refusal } from "../support/answers.ts";
import { claimOf, hours, type Spot, spotOf, useBuilding, windowOf } from "../support/building.ts";
import { setLimits, setSectionLimits } from "../support/limits.ts";
import type { Person } from "../support/person.ts";
import { suspend, writePastRules } from "../support/rows.ts";
import { offersTo, readWish, tell, type Wish, wishOf } from "../support/wishes.ts";

const building = useBuilding();
const administrator = building.shared("administrator");
const owner = building.shared("resident");
const waiting = building.shared("resident");
const other = building.shared("resident");
let spot: Spot;
beforeEach(async () => {
  spot = await spotOf(owner);
});
afterEach(async () => {
  await building.rows("delete from parking.wishes");
  await building.rows("delete from parking.notifications");
});

/** What this person was told, after the job has looked. */
const told = async (person: Person) => {
  await tell(building);
  return offersTo(person);
};
const publish = async (from = 1, to = 5) => {
  const window = await windowOf(owner, await spotOf(owner), from, to);
  await tell(building);
  return window;
};
const notFound = refusal(404, "Wish not found");

describe("/wishes", () => {
  it("POST answers with the wish, which its own person reads, lists and withdraws", async () => {
    const times = { start_time: hours(2), end_time: hours(4) };
    const body = { ...times, building_section: "North" };
    const made = await waiting.post<{ wish: Wish }>("/wishes", body, 201);
    const { wish } = made.body;
    expect(formatsOf(wish)).toEqual({
      id: "uuid",
      start_time: "time",
      end_time: "time",
      building_section: "text",
      spot_id: "null",
      created_at: "time",
      updated_at: "time",
    });
    expect(wish).toMatchObject(body);
    const path = `/wishes/${wish.id}`;
    expect(made.headers.get("Location")).toBe(`/api${path}`);
    expect(await readWish(waiting, wish)).toEqual(wish);

    const last = await wishOf(waiting, 6, 8);
    const list = async (person: Person, query = "") =>
      (await person.get(`/wishes${query}`, 200)).body;
    expect(await list(waiting)).toEqual({ wishes: [last, wish], total: 2 });
    expect(await list(waiting, `?start_date=${hours(5)}`)).toEqual({ wishes: [last], total: 1 });
    expect(await list(waiting, `?end_date=${hours(5)}`)).toEqual({ wishes: [wish], total: 1 });
    await publish();
    expect(answerOf(await waiting.delete(path))).toEqual({
      status: 200,
      body: { message: "Wish withdrawn successfully", deleted_wish_id: wish.id },
    });
    expect(answerOf(await waiting.delete(path))).toEqual(notFound);
    expect(await offersTo(waiting)).toMatchObject([
      { id: wish.id, resolved_at: expect.any(String) },
    ]);
  });
});

describe("a window that becomes free", () => {
  it("is told to those whose wish it fits, and not to its owner", async () => {
    const wish = await wishOf(waiting);
    const window = await windowOf(owner, spot);
    expect(await told(waiting)).toMatchObject([
      {
        id: wish.id,
        message: expect.stringMatching(
          `^Parking spot ${spot.spot_number} is free from .* to .* UTC, as you wished$`,
        ),
        availability_id: window.id,
        spot_id: spot.id,
        claim_id: null,
        is_read: false,
      },
    ]);
    const now = await readWish(waiting, wish);
    expect(now).toMatchObject({ availability_id: window.id });
    expect(now).not.toHaveProperty("offered_until");
    expect(await told(owner)).toEqual([]);
  });

  const place = { spot: () => ({ spot_id: spot.id }), none: () => ({}) };
  type Case = [what: string, times: readonly [number, number], where: () => object, count: number];
  it.each<Case>([
    ["times in it", [2, 4], place.none, 1],
    ["all of its time", [1, 5], place.spot, 1],
    ["its section", [2, 4], () => ({ building_section: "North" }), 1],
    ["another section", [2, 4], () => ({ building_section: "South" }), 0],
    ["an earlier start", [0.9, 4], place.none, 0],
    ["a later end", [2, 5.1], place.spot, 0],
  ])("is told by whether it fits those who want %s", async (_what, times, where, count) => {
    await wishOf(waiting, ...times, where());
    const elsewhere = (await spotOf(owner)).id;
    await wishOf(other, 2, 4, { spot_id: elsewhere });
    await windowOf(owner, spot, 1, 5);
    expect(await told(waiting)).toHaveLength(count);
    expect(await told(other)).toEqual([]);
  });

  it.each(["cancelled", "deleted"])("is told when its claim is %s", async (how) => {
    const window = await windowOf(owner, spot);
    const { id } = await claimOf(other, window);
    const wish = await wishOf(waiting);
    for (const person of [owner, other]) await wishOf(person);
    const suspended = await building.resident();
    await wishOf(suspended);
    await suspend(building, suspended);
    expect(await told(waiting)).toEqual([]);
    if (how === "deleted") await other.delete(`/claims/${id}`, 200);
    else await other.put(`/claims/${id}`, { status: "cancelled" }, 200);
    expect(await told(waiting)).toMatchObject([{ id: wish.id, availability_id: window.id }]);
    // Not its owner, nor who freed it, nor who is suspended.
    const all = "select recipient_id from parking.notifications where kind = 'wish.fits'";
    expect(await building.rows(all)).toEqual([{ recipient_id: waiting.id }]);
  });

  it("is told when it is made longer, and not when it is made shorter", async () => {
    const window = await windowOf(owner, spot, 1, 3);
    await wishOf(waiting);
    for (const [change, count] of [
      [{ start_time: hours(2) }, 0],
      [{ end_time: hours(4) }, 1],
    ] as const) {
      await owner.put(`/availabilities/${window.id}`, change, 200);
      expect(await told(waiting)).toHaveLength(count);
    }
  });

  it("is one message for a wish, however many windows fit, until it is read or gone", async () => {
    const wish = await wishOf(waiting);
    const twin = await wishOf(waiting, 2, 3);
    const first = await publish();
    const expectTold = async (availability_id: string, is_read: boolean) =>
      expect(await told(waiting)).toMatchObject([{ id: wish.id, availability_id, is_read }]);
    await expectTold(first.id, false); // once for both wishes
    await waiting.delete(`/wishes/${twin.id}`, 200);
    const second = await publish();
    await expectTold(first.id, false);
    await claimOf(other, first);
    await expectTold(second.id, false);
    await waiting.put(`/notifications/${wish.id}`, { is_read: true }, 200);
    await expectTold(second.id, true);
    await expectTold((await publish()).id, false);
  });

  it("is told again, once it is free again, to who had read of it; to others not twice", async () => {
    const wish = await wishOf(waiting);
    const window = await publish();
    await waiting.put(`/notifications/${wish.id}`, { is_read: true }, 200);
    for (let i = 0; i < 3; i++) {
      const { id } = await claimOf(other, window);
      expect(await told(waiting)).toMatchObject([{ resolved_at: expect.any(String) }]);
      await other.delete(`/claims/${id}`, 200);
      expect(await told(waiting)).toMatchObject([{ is_read: false, resolved_at: null }]);
    }
  });

  it("is told at once of the next, where the one before is taken", async () => {
    await wishOf(waiting);
    const first = await publish();
    const next = await publish();
    await claimOf(other, first);
    expect(await told(waiting)).toMatchObject([{ availability_id: next.id, resolved_at: null }]);
  });

  it.each([
    [
      "may still claim a part of their time",
      { claim_notice_minutes: 1_440 },
      [21, 26],
      [20, 40],
      1,
    ],
    ["can no longer claim", { claim_notice_minutes: 1_440 }, [21, 23], [20, 40], 0],
    ["may claim a part only", { longest_claim_minutes: 60 }, [20, 22], [20, 28], 1],
    ["may not claim so short a window", { shortest_claim_minutes: 120 }, [21, 22], [21, 22], 0],
    ["may claim more than they want", { shortest_claim_minutes: 120 }, [21, 22], [20, 28], 1],
  ] as const)(
    "is told by the limits, to those who %s",
    async (_who, limits, wish, window, count) => {
      await setLimits(building, limits);
      await wishOf(waiting, ...wish);
      await publish(...window);
      expect(await told(waiting)).toHaveLength(count);
      await setLimits(building, {});
    },
  );

  it("is told by the limits of its section", async () => {
    await setLimits(building, { claim_notice_minutes: 2_880 });
    await setSectionLimits(building, "Guests", { claim_notice_minutes: 1 });
    await wishOf(waiting, 21, 22, { building_section: "North" });
    await wishOf(other, 21, 22, { building_section: "Guests" });
    for (const one of [spot, await spotOf(owner, "Guests")]) await windowOf(owner, one, 20, 28);
    expect([await told(waiting), await told(other)]).toMatchObject([[], [{}]]);
    await building.rows("delete from parking.limits where building_section is not null");
    await setLimits(building, {});
  });
});

describe("a claim that fits", () => {
  it("fulfils the wish, resolves the notification about it, and makes room for another", async () => {
    const wish = await wishOf(waiting);
    for (let i = 1; i < 10; i++) await wishOf(waiting, 20 + i, 21 + i);
    const { id } = await claimOf(waiting, await publish());
    expect(await readWish(waiting, wish)).toMatchObject({ claim_id: id });
    expect(await offersTo(waiting)).toMatchObject([{ resolved_at: expect.any(String) }]);
    await wishOf(waiting, 40, 41);
    await waiting.post("/wishes", { start_time: hours(44), end_time: hours(45) }, 409);
  });

  const move = {
    "PUT /claims/{id}": (id: string) => waiting.put(`/claims/${id}`, { end_time: hours(4) }, 200),
    "an UPDATE": (id: string) =>
      waiting.sql("update parking.claims set end_time = $2 where id = $1", [id, hours(4)]),
  };
  it.each(Object.entries(move))(
    "fulfils it once it is moved to fit, by %s",
    async (_how, change) => {
      const window = await windowOf(owner, spot);
      const wish = await wishOf(waiting);
      const times = { start_time: hours(2), end_time: hours(3) };
      const claim = await claimOf(waiting, { ...window, ...times });
      expect(await readWish(waiting, wish)).not.toHaveProperty("claim_id");
      await change(claim.id);
      expect(await readWish(waiting, wish)).toMatchObject({ claim_id: claim.id });
      // A wish that came after it is for one more.
      const more = await wishOf(waiting, 2, 3);
      await waiting.put(`/claims/${claim.id}`, { end_time: hours(5) }, 200);
      expect(await readWish(waiting, more)).not.toHaveProperty("claim_id");
      const next = await claimOf(waiting, await publish());
      expect(await readWish(waiting, more)).toMatchObject({ claim_id: next.id });
    },
  );

  it("leaves wishes of others, and for other places, open", async () => {
    const left: readonly (readonly [Person, Wish])[] = [
      [waiting, await wishOf(waiting, 2, 4, { building_section: "South" })],
      [waiting, await wishOf(waiting, 2, 4, { spot_id: spot.id })],
      [other, await wishOf(other)],
    ];
    await claimOf(waiting, await publish());
    for (const [person, wish] of left)
      expect(await readWish(person, wish)).not.toHaveProperty("claim_id");
  });
});

describe("the erasure of a person", () => {
  const erase = ({ id }: Person) => administrator.delete(`/admin/profiles/${id}?reason=Left`, 200);

  it("ends their wishes; what is over stays for the reports, without what they typed", async () => {
    const leaving = await building.resident();
    await wishOf(leaving);
    const over = await wishOf(leaving, 2, 4, { building_section: "Near Ada" });
    const begin = "update parking.wishes set start_time = $2 where id = $1";
    await writePastRules(building, begin, [over.id, hours(-9)]);
    await erase(leaving);
    expect(await building.rows("select id, building_section from parking.wishes")).toEqual([
      { id: over.id, building_section: null },
    ]);
  });

  it("leaves nobody a message with the number of their spot", async () => {
    const leaving = await building.resident();
    await wishOf(waiting);
    await windowOf(leaving, await spotOf(leaving));
    expect(await told(waiting)).toHaveLength(1);
    await erase(leaving);
    expect(await told(waiting)).toEqual([]);
  });
});
