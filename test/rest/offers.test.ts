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
import { except, undo } from "../support/exceptions.ts";
import { setLimits, setSectionLimits } from "../support/limits.ts";
import { dayAfter, patternOf, threeDays } from "../support/patterns.ts";
import type { Person } from "../support/person.ts";
import { stored, suspend } from "../support/rows.ts";
import { letPass, seen, tell, toldTo, type Wish, wishOf } from "../support/wishes.ts";
import { claim } from "./claiming.ts";

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
  for (const table of ["wishes", "claims", "patterns", "availabilities", "notifications"]) {
    await building.rows(`delete from parking.${table}`);
  }
});

const FROM = 20;
const free = async (from = FROM, to = FROM + 8): Promise<Window> => {
  const window = await windowOf(owner, await spotOf(owner), from, to);
  await tell(building);
  return window;
};
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

  it.each([
    ["one after the other", () => free()],
    ["at once", async () => windowOf(owner, await spotOf(owner), FROM, FROM + 8)],
  ])(
    "offers several windows to several people, not all to the first: %s",
    async (_how, publish) => {
      const [a, b, c] = people;
      await wishes(a, b, c);
      const windows = [await publish(), await publish(), await publish(), await publish()] as const;
      await tell(building);

      expect(await outcome(a, windows[1])).toBe(WAIT);
      expect(await outcome(passer, windows[2])).toBe(WAIT);
      expect(await outcome(passer, windows[3])).toBe("claimed");
      expect(await outcome(c, windows[2])).toBe("claimed");
      expect(await outcome(b, windows[1])).toBe("claimed");
      expect(await outcome(a, windows[0])).toBe("claimed");
    },
  );

  it("tells each of one turn, not of one after the other, when several windows become free at once", async () => {
    await wishes(...people);
    for (let i = 0; i < 3; i++) await windowOf(owner, await spotOf(owner), FROM, FROM + 8);
    await tell(building);
    const told = await building.rows<{ times: string }>(
      `select count(*) as times from private.events e
        where e.type = 'notification.created'
          and e.subject_id in (select w.id from parking.wishes w)
        group by e.subject_id`,
    );
    expect(told.map((it) => it.times)).toEqual(["1", "1", "1"]);
  });

  it("goes to who is left without one, when another leaves", async () => {
    const [a, b] = people;
    await setLimits(building, { offer_minutes: 2_000 });
    const [first, second] = await wishes(a, b);
    const window = await free();
    if (!first || !second) throw new Error("there are two");
    await a.delete(`/wishes/${first.id}`, 200);
    expect(await outcome(passer, window)).toBe(WAIT);
    await tell(building);
    expect(await seen(b, second)).toMatchObject({ availability_id: window.id });
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
    await tell(building);
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

  it("turned off, binds nobody; turned on again, keeps what was promised", async () => {
    const [a] = people;
    await wishes(a);
    const window = await free();
    await setLimits(building, { offer_minutes: null });
    const claim = await claimOf(passer, window);
    await passer.delete(`/claims/${claim.id}`, 200);

    await setLimits(building, { offer_minutes: 5 }); // before anybody looks
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
    await tell(building);

    await passer.delete(`/claims/${claim.id}`, 200);

    for (const look of [async () => {}, tell]) {
      await look(building);
      expect(await outcome(passer, window)).toBe(WAIT);
    }
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

describe("who waits", () => {
  it("has a turn when the owner is approved again, and none while they are suspended", async () => {
    const [, bob] = people;
    const host = await building.resident();
    const window = await windowOf(host, await spotOf(host), FROM, FROM + 8);
    const allow = (is_approved: boolean) =>
      administrator.put(`/admin/profiles/${host.id}`, { is_approved }, 200);
    await allow(false);
    const [wish] = await wishes(bob);
    await tell(building);
    expect(await toldTo(bob)).toEqual([]);

    await allow(true);
    await tell(building);

    expect(await seen(bob, wish as Wish)).toMatchObject({ availability_id: window.id });
    expect(await outcome(passer, window)).toBe(WAIT);

    await allow(false);
    await tell(building);
    expect(await seen(bob, wish as Wish)).not.toHaveProperty("availability_id");
    expect(await toldTo(bob)).toMatchObject([{ resolved_at: expect.any(String) }]);
    await allow(true);
    await tell(building);
    expect(await outcome(bob, window)).toBe("claimed");
  });
});

describe("a spot that moves to another section", () => {
  it("is offered to those who wait there", async () => {
    const [a] = people;
    const spot = await spotOf(owner, "Guests");
    const window = await windowOf(owner, spot, FROM, FROM + 8);
    const wish = await wishOf(a, FROM + 1, FROM + 2, { building_section: "Deck" });
    await tell(building);
    expect(await toldTo(a)).toEqual([]);

    await owner.put(`/parking-spots/${spot.id}`, { building_section: "Deck" }, 200);

    expect(await outcome(passer, window)).toBe(WAIT);
    await tell(building);
    expect(await seen(a, wish)).toMatchObject({ availability_id: window.id });
    expect(await outcome(passer, window)).toBe(WAIT);
  });
});

describe("nobody keeps a window from others for ever", () => {
  it("by asking again and again", async () => {
    const [a] = people;
    const [first] = await wishes(a);
    const window = await free();
    await letPass(building, EACH);
    for (let i = 0; i < 3; i++) {
      await a.delete(`/wishes/${(first as Wish).id}`);
      await wishOf(a, FROM + i, FROM + 4);
      await tell(building);
    }
    expect(await outcome(passer, window)).toBe("claimed");
  });

  it("by ten wishes: a person has one turn", async () => {
    const [a] = people;
    for (let i = 0; i < 10; i++) await wishOf(a, FROM + 1, FROM + 2);
    const window = await free();
    await letPass(building, EACH);
    await tell(building);
    expect(await outcome(passer, window)).toBe("claimed");
  });

  it.each(["cancels", "deletes"])("by claims that they %s themselves", async (how) => {
    const [a] = people;
    const window = await free();
    const { id } = await claimOf(a, window);
    await wishes(a);
    await tell(building);
    if (how === "deletes") await a.delete(`/claims/${id}`, 200);
    else await a.put(`/claims/${id}`, { status: "cancelled" }, 200);
    await tell(building);
    expect(await toldTo(a)).toEqual([]);
    expect(await outcome(passer, window)).toBe("claimed");
  });
});

describe("where the rest of a window stays on offer", () => {
  let spot: Spot;
  beforeEach(async () => {
    await building.rows("update parking.building set rest_stays_on_offer = true");
    spot = await spotOf(owner);
  });
  afterEach(async () => {
    await building.rows("update parking.building set rest_stays_on_offer = false");
    await building.rows("delete from parking.exceptions");
  });

  const outcomeOf = async (person: Person, window: Window, from: number, to: number) => {
    const { status, headers } = await claim(person, window, from, to);
    return status === 201 ? "claimed" : `${status} ${headers.get("X-Error-Code")}`;
  };
  const held = async (person: Person, window: Window, from: number, to: number) => {
    const { status, body } = await claim(person, window, from, to);
    expect(status).toBe(201);
    return body.claim;
  };
  const cancelled = (person: Person, { id }: { readonly id: string }) =>
    person.put(`/claims/${id}`, { status: "cancelled" }, 200);
  const offered = async (from = 38, to = 48) => {
    const window = await windowOf(owner, spot, from, to);
    await tell(building);
    return window;
  };
  const unread = async (person: Person) => {
    await tell(building);
    return (await toldTo(person)).filter((it) => !it.is_read).length;
  };
  const readAll = () => building.rows("update parking.notifications set is_read = true");

  it("a claim, its end and what the owner needs of another part change no turn", async () => {
    const [alice, bob] = people;
    const asked = [await wishOf(alice, 44, 46), await wishOf(bob, 44, 46)] as const;
    const window = await offered();
    await letPass(building, EACH + 5); // it is Bob's
    const turns = async () => {
      await tell(building);
      return [await seen(alice, asked[0]), await seen(bob, asked[1])];
    };
    const before = await turns();

    const slice = await held(passer, window, 38, 39);
    expect(await turns()).toEqual(before);
    await cancelled(passer, slice);
    expect(await turns()).toEqual(before);
    const kept = await except(owner, "keep", spot, 40, 41);
    expect(await turns()).toEqual(before);
    await undo(owner, kept);
    expect(await turns()).toEqual(before);

    expect(await outcomeOf(alice, window, 44, 46)).toBe(WAIT);
    expect(await outcomeOf(bob, window, 44, 46)).toBe("claimed");
  });

  it("a claim and its end of another part begin no turn for who asked meanwhile", async () => {
    const [alice] = people;
    const window = await offered();
    await wishOf(alice, 44, 46);
    for (const person of [alice, passer]) {
      await cancelled(person, await held(person, window, 38, 39));
      await tell(building);
    }
    expect(await toldTo(alice)).toEqual([]);
    expect(await outcomeOf(passer, window, 44, 46)).toBe("claimed");
  });

  it("who has an offer of one part keeps no other from others", async () => {
    const [alice, bob] = people;
    await wishOf(alice, 40, 42);
    const window = await offered();
    expect(await outcomeOf(bob, window, 41, 43)).toBe(WAIT);
    expect(await outcomeOf(bob, window, 44, 46)).toBe("claimed");
    const { id } = await held(passer, window, 42, 43);
    const moved = await passer.put(`/claims/${id}`, { start_time: hours(41) });
    expect(moved.headers.get("X-Error-Code")).toBe("claims_wait_for_offers");
  });

  it("an offer of which a claim or the owner took a part keeps nothing from others", async () => {
    const [alice, bob] = people;
    await wishOf(alice, 40, 42);
    await wishOf(bob, 41, 45);
    await wishOf(passer, 44, 46);
    const window = await offered();
    expect(await outcomeOf(alice, window, 40, 42)).toBe("claimed");
    expect(await outcomeOf(passer, window, 44, 46)).toBe("claimed");

    await wishOf(alice, 55, 57);
    const another = await offered(50, 58);
    await owner.put(`/availabilities/${another.id}`, { end_time: hours(56) }, 200);
    expect(await outcomeOf(bob, another, 50, 56)).toBe("claimed");
  });

  it.each([
    ["a claim of another", (window: Window) => held(passer, window, 38, 40)],
    ["their own claim", (window: Window) => held(people[0], window, 38, 40)],
    ["what the owner needs", () => except(owner, "keep", spot, 38, 40)],
    [
      "a shorter window",
      ({ id }: Window) => owner.put(`/availabilities/${id}`, { start_time: hours(41) }, 200),
    ],
  ])("who has two wishes is told of the second after %s ended the first", async (_what, end) => {
    await setLimits(building, {});
    const [alice] = people;
    await wishOf(alice, 38, 40);
    const window = await offered();
    const second = await wishOf(alice, 44, 46);
    await building.rows(
      `insert into private.freed_times (availability_id, during)
       select a.id, tstzmultirange(a.during) from parking.availabilities a where a.id = $1`,
      [window.id],
    );
    await end(window);
    await tell(building);
    expect((await seen(alice, second)).availability_id).toBe(window.id);
  });

  it("a time is told when it comes back: by a claim that ends or becomes shorter", async () => {
    await setLimits(building, {});
    const [alice, bob] = people;
    const window = await offered();
    const { id } = await held(passer, window, 40, 45);
    await wishOf(alice, 39, 41);
    await wishOf(bob, 44, 46);
    await passer.put(`/claims/${id}`, { end_time: hours(43) }, 200);
    expect([await unread(alice), await unread(bob)]).toEqual([0, 1]);
    await passer.delete(`/claims/${id}`, 200);
    expect([await unread(alice), await unread(bob)]).toEqual([1, 1]);
    await readAll();
    await cancelled(passer, await held(passer, window, 47, 48));
    expect([await unread(alice), await unread(bob)]).toEqual([0, 0]);
  });

  it("a time is told that needs two claims which end at once", async () => {
    await setLimits(building, {});
    const [alice, bob] = people;
    const window = await offered();
    await held(passer, window, 40, 42);
    await held(passer, window, 42, 44);
    await wishOf(alice, 41, 43);
    await wishOf(bob, 43, 44);
    await building.rows("delete from parking.claims");
    expect([await unread(alice), await unread(bob)]).toEqual([1, 1]);
  });
});

describe("a pattern and what its owner needs", () => {
  const times = (from: string, to: string) => ({
    start_time: `${dayAfter(4)}T${from}:00Z`,
    end_time: `${dayAfter(4)}T${to}:00Z`,
  });

  it("a change of the plan that leaves a window as it is changes no turn", async () => {
    const [alice, bob] = people;
    await alice.post("/wishes", times("09:00", "10:00"), 201);
    await bob.post("/wishes", times("09:00", "10:00"), 201);
    const spot = await spotOf(owner);
    const pattern = await patternOf(owner, threeDays(spot));
    await tell(building);
    await letPass(building, EACH + 5);
    const turns = () => building.rows("select id, offered_until from parking.wishes order by id");
    const before = await turns();
    await owner.put(`/patterns/${pattern.id}`, { last_day: dayAfter(4) }, 200);
    await tell(building);
    expect(await turns()).toEqual(before);
  });

  it("a time is told that is free beside what the owner needs", async () => {
    const [alice, bob] = people;
    const spot = await spotOf(owner);
    await alice.post("/wishes", times("13:00", "15:00"), 201);
    await bob.post("/wishes", times("11:00", "13:00"), 201);
    const needed = { kind: "keep", spot_id: spot.id, ...times("10:00", "12:00") };
    await owner.post("/exceptions", needed, 201);
    await patternOf(owner, threeDays(spot));
    await tell(building);
    expect([await toldTo(alice), await toldTo(bob)]).toMatchObject([[{ kind: "wish.fits" }], []]);
  });
});
