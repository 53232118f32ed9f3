import { afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { answerOf } from "../support/answers.ts";
import {
  claimOf,
  hours,
  type Spot,
  spotOf,
  useBuilding,
  type Window,
  windowOf,
} from "../support/building.ts";
import { setLimits, setSectionLimits } from "../support/limits.ts";
import type { Person } from "../support/person.ts";
import { stored, suspend } from "../support/rows.ts";
import { letPass, seen, toldTo, type Wish, wishOf } from "../support/wishes.ts";

const MINUTE = 60_000;
const EACH = 30;

const building = useBuilding();
let administrator: Person;
let owner: Person;
/** Nobody who waits. */
let passer: Person;
let people: readonly [Person, Person, Person];
beforeAll(async () => {
  administrator = await building.administrator();
  [owner, passer] = [await building.resident(), await building.resident()];
  people = [await building.resident(), await building.resident(), await building.resident()];
});
beforeEach(() => setLimits(building, { offer_minutes: EACH }));
afterEach(async () => {
  await building.rows("delete from parking.wishes");
  await building.rows("delete from parking.claims");
  await building.rows("delete from parking.availabilities");
  await building.rows("delete from parking.notifications");
});

const FROM = 20;
const free = async (from = FROM, to = FROM + 8): Promise<Window> =>
  windowOf(owner, await spotOf(owner), from, to);
const wishes = (...who: readonly Person[]) =>
  who.reduce<Promise<readonly Wish[]>>(
    async (before, person) => [...(await before), await wishOf(person, FROM + 1, FROM + 2)],
    Promise.resolve([]),
  );
const attempt = (person: Person, { id, start_time, end_time }: Window) =>
  person.post("/claims", { availability_id: id, start_time, end_time });
const outcome = async (person: Person, window: Window) => {
  const { status, headers } = await attempt(person, window);
  return status === 201 ? "claimed" : `${status} ${headers.get("X-Error-Code")}`;
};
const WAIT = "409 claims_wait_for_offers";
const minutes = (from = "", until = "") => (Date.parse(until) - Date.parse(from)) / MINUTE;

describe("offer_minutes", () => {
  it("gives each who waits their time, in the order of asking, and says so", async () => {
    const [a, b, c] = people;
    const [first, second, third] = await wishes(a, b, c);
    const window = await free();
    if (!first || !second || !third) throw new Error("there are three");

    const offers = [await seen(a, first), await seen(b, second), await seen(c, third)];

    for (const [i, offer] of offers.entries()) {
      expect(offer.availability_id).toBe(window.id);
      expect(minutes(offer.offered_from, offer.offered_until)).toBe(EACH);
      expect(minutes(offers[0]?.offered_from, offer.offered_from)).toBe(i * EACH);
    }
    expect((await toldTo(b))[0]?.message).toMatch(
      /^Parking spot .* as you wished\. Only you can claim it from .* to .* UTC$/,
    );
    const { spot_id, start_time, end_time } = window;
    const { spot_number } = (await stored(building, "spots", spot_id)) as Spot;
    const { offered_from, offered_until } = await seen(b, second);
    expect((await toldTo(b))[0]?.data).toEqual({
      ...{ spot_number, start_time, end_time, offered_from, offered_until },
    });
  });

  it("refuses a claim by anybody else, and says until when", async () => {
    const [a, b] = people;
    const [first] = await wishes(a, b);
    const window = await free();
    if (!first) throw new Error("there is one");
    const { offered_until } = await seen(a, first);

    for (const person of [passer, b, administrator]) {
      expect(answerOf(await attempt(person, window))).toEqual({
        status: 409,
        body: { error: `Until ${offered_until} this is offered to somebody who waited for it` },
      });
    }
    expect(await outcome(a, window)).toBe("claimed");
  });

  it("passes on by the clock, and ends", async () => {
    const [a, b] = people;
    await wishes(a, b);
    const [early, late] = [await free(), await free(FROM, FROM + 1)];
    const turn = (window: Window) => Promise.all([outcome(a, window), outcome(passer, window)]);

    await letPass(building, EACH);
    expect(await turn(early)).toEqual([WAIT, WAIT]);
    expect(await outcome(b, early)).toBe("claimed");
    expect(await outcome(passer, late)).toBe("claimed"); // nobody waits for these hours
  });

  it("leaves the window to everybody after the last", async () => {
    await wishes(...people);
    const window = await free();
    await letPass(building, 2 * EACH);
    expect(await outcome(passer, window)).toBe(WAIT);
    await letPass(building, EACH);
    expect(await outcome(passer, window)).toBe("claimed");
  });

  it.each([
    ["withdraws", ({ id }: Wish, person: Person) => person.delete(`/wishes/${id}`, 200)],
    ["is suspended", (_: Wish, person: Person) => suspend(building, person)],
    [
      "is erased",
      (_: Wish, { id }: Person) => administrator.delete(`/admin/profiles/${id}?reason=left`, 200),
    ],
    [
      "has claimed another window",
      (_: Wish, person: Person, spare: Window) => claimOf(person, spare),
    ],
  ])("is for the next at once when the first %s", async (_how, leave) => {
    const [, b, c] = people;
    const a = await building.resident();
    const spare = await free();
    const [first] = await wishes(a, b, c);
    const window = await free();
    if (!first) throw new Error("there is one");

    await leave(first, a, spare);

    expect(await outcome(c, window)).toBe(WAIT);
    expect(await outcome(b, window)).toBe("claimed");
  });

  it("offers several windows to several people, not all to the first", async () => {
    const [a, b, c] = people;
    await wishes(a, b, c);
    const windows = [await free(), await free(), await free(), await free()] as const;

    expect(await outcome(a, windows[1])).toBe(WAIT);
    expect(await outcome(passer, windows[2])).toBe(WAIT);
    expect(await outcome(passer, windows[3])).toBe("claimed");
    expect(await outcome(c, windows[2])).toBe("claimed");
    expect(await outcome(b, windows[1])).toBe("claimed");
    expect(await outcome(a, windows[0])).toBe("claimed");
  });

  it("ends an offer when the wish begins", async () => {
    const [a, b] = people;
    await setLimits(building, { offer_minutes: 2_000 });
    const [first, second] = await wishes(a, b);
    await free();
    if (!first || !second) throw new Error("there are two");

    expect(await seen(a, first)).toMatchObject({ offered_until: first.start_time });
    expect(await seen(b, second)).not.toHaveProperty("availability_id");
  });

  it("is not for those whose time starts too soon for them to claim it", async () => {
    const [a, b] = people;
    const [from, to] = [21, 22];
    await setLimits(building, { offer_minutes: EACH, claim_notice_minutes: 1_440 });
    await wishOf(a, from, to);
    const window = await free(FROM, 40);
    const part = (start: number, end: number) => ({
      ...window,
      start_time: hours(start),
      end_time: hours(end),
    });

    expect(await toldTo(a)).toEqual([]);
    expect(await outcome(a, part(from, to))).toBe("400 claims_with_notice");
    expect(await outcome(passer, part(30, 31))).toBe("claimed");

    await wishOf(b, 33, 34);
    await free(30, 40);
    expect(await toldTo(b)).toHaveLength(1);
  });

  it("is also for those who may claim a part of their time only", async () => {
    const [a] = people;
    await setLimits(building, { offer_minutes: EACH, longest_claim_minutes: 60 });
    await wishOf(a, FROM, FROM + 2);
    await free();
    expect(await toldTo(a)).toHaveLength(1);
  });

  it.each([
    ["tells, without turns, those who may still claim a part of their time", 26, 1],
    ["tells nobody of a time that can no longer be claimed", 23, 0],
  ])("%s", async (_what, until, told) => {
    const [a] = people;
    await setLimits(building, { claim_notice_minutes: 1_440 });
    await wishOf(a, 21, until);
    await free(FROM, 40);
    expect(await toldTo(a)).toHaveLength(told);
  });

  it("asks the limits of the section", async () => {
    const [a, b] = people;
    await setLimits(building, { offer_minutes: EACH, claim_notice_minutes: 1_440 });
    await setSectionLimits(building, "Guests", { claim_notice_minutes: 1 });
    await wishOf(a, FROM + 1, FROM + 2, { building_section: "North" });
    await wishOf(b, FROM + 1, FROM + 2, { building_section: "Guests" });
    await free();
    await windowOf(owner, await spotOf(owner, "Guests"), FROM, FROM + 8);
    await building.rows("delete from parking.limits where building_section is not null");
    expect([await toldTo(a), await toldTo(b)]).toMatchObject([[], [{ kind: "wish.fits" }]]);
  });

  it("ends an offer when it is too late to claim", async () => {
    const [a, b] = people;
    await setLimits(building, { offer_minutes: 2_000, claim_notice_minutes: 60 });
    const [first, second] = await wishes(a, b);
    await free();
    if (!first || !second) throw new Error("there are two");

    expect((await seen(a, first)).offered_until).toBe(hours(FROM));
    expect(await seen(b, second)).not.toHaveProperty("availability_id");
  });

  it("is not told of a window that is shorter than a claim may be", async () => {
    const [a] = people;
    await setLimits(building, { offer_minutes: EACH, shortest_claim_minutes: 120 });
    await wishes(a);
    await free(FROM + 1, FROM + 2);
    expect(await toldTo(a)).toEqual([]);
    await free();
    expect(await toldTo(a)).toHaveLength(1);
  });

  it("asks ten people at most", async () => {
    const many = [];
    for (let i = 0; i < 12; i++) many.push(await building.resident());
    await wishes(...many);
    await free();
    const told = await Promise.all(many.map(async (person) => (await toldTo(person)).length));
    expect(told).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0]);
  });

  it("turned off, binds nobody; turned on again, keeps what was promised", async () => {
    const [a] = people;
    await wishes(a);
    const window = await free();
    await setLimits(building, { offer_minutes: null });
    const claim = await claimOf(passer, window);
    await passer.delete(`/claims/${claim.id}`, 200);

    await setLimits(building, { offer_minutes: 5 });
    expect(await outcome(passer, window)).toBe(WAIT);
    await letPass(building, EACH - 1);
    expect(await outcome(passer, window)).toBe(WAIT);
    await letPass(building, 1);
    expect(await outcome(passer, window)).toBe("claimed");
  });

  it("offers a window anew that was claimed and is free again", async () => {
    const [a] = people;
    const [wish] = await wishes(a);
    const window = await free();
    await letPass(building, EACH);
    const claim = await claimOf(passer, window);
    expect(await outcome(a, window)).toBe("400 claims_one_per_availability");

    await passer.delete(`/claims/${claim.id}`, 200);

    expect(await outcome(passer, window)).toBe(WAIT);
    expect((await seen(a, wish as Wish)).offered_until).toBeDefined();
  });

  it("lets who has it claim a part of it and move that, while the next waits", async () => {
    const [a, b] = people;
    await wishes(a, b);
    const window = await free();
    const { body } = await a.post<{ claim: { id: string } }>(
      "/claims",
      { availability_id: window.id, start_time: hours(FROM + 3), end_time: hours(FROM + 4) },
      201,
    );
    await letPass(building, EACH);
    await a.put(`/claims/${body.claim.id}`, { start_time: hours(FROM + 1) }, 200);
    expect(await outcome(b, window)).toBe("400 claims_one_per_availability");
  });

  it("does not bind the owner of the database", async () => {
    await wishes(people[0]);
    const { id } = await free();
    await building.rows(
      `insert into parking.claims (availability_id, spot_id, owner_id, claimer_id, start_time, end_time)
       select a.id, a.spot_id, a.owner_id, $2, a.start_time, a.end_time
         from parking.availabilities a where a.id = $1`,
      [id, passer.id],
    );
  });
});
