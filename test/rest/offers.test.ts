import { afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { several } from "../concurrency/rivals.ts";
import { keepRest } from "../rules/rest.ts";
import { run, tryWithClaims } from "../rules/support.ts";
import { answerOf, refusal } from "../support/answers.ts";
import {
  type Claim,
  claimOf,
  hours,
  type Spot,
  spotOf,
  useBuilding,
  type Window,
  windowOf,
} from "../support/building.ts";
import * as doors from "../support/doors.ts";
import { except, undo } from "../support/exceptions.ts";
import { cancel, timesOn } from "../support/free-time.ts";
import { setLimits } from "../support/limits.ts";
import { dayAfter, patternOf, threeDays } from "../support/patterns.ts";
import type { Person } from "../support/person.ts";
import { stored, suspend, writePastRules } from "../support/rows.ts";
import { claimsOf } from "../support/sql.ts";
import { offersTo, passMinutes, readWish, tell, type Wish, wishOf } from "../support/wishes.ts";

const EACH = 30;
const WAIT = "claims_wait_for_offers";

const building = useBuilding();
const ended = doors.doorsOf(building);
const administrator = building.shared("administrator");
const owner = building.shared("resident");
/** Nobody who waits. */
const outsider = building.shared("resident");
/** Twelve who may wait. */
let people: readonly Person[];
let [alice, bob, carol]: readonly Person[] = [];
let spot: Spot;
beforeAll(async () => {
  people = await several(12, () => building.resident());
});
beforeEach(async () => {
  [alice, bob, carol] = people;
  await setLimits(building, { offer_minutes: EACH });
  spot = await spotOf(owner);
});
afterEach(async () => {
  await keepRest(building, false);
  for (const table of "wishes claims patterns exceptions availabilities notifications".split(" "))
    await building.rows(`delete from parking.${table}`);
});

const someone = (person: Person | undefined): Person => {
  if (!person) throw new Error("there are twelve");
  return person;
};
const publish = async (from = 20, to = 28, of = spot): Promise<Window> => {
  const window = await windowOf(owner, of, from, to);
  await tell(building);
  return window;
};
const another = async () => publish(20, 28, await spotOf(owner));
const wish = (person: Person | undefined, from = 21, to = 22) => wishOf(someone(person), from, to);
const wishes = (...who: readonly (Person | undefined)[]) =>
  several(who.length, (i) => wish(who[i]));
/** How it ends to claim the window, or these hours of it: "done", or the rule that refuses it. */
const outcome = (person: Person | undefined, window: Window, from?: number, to?: number) =>
  ended(someone(person), doors.claim(window, from, to));
const claimed = (person: Person | undefined, window: Window, from: number, to: number) =>
  claimOf(someone(person), { ...window, start_time: hours(from), end_time: hours(to) });
/** Lets time pass, while the job looks now and then. */
const pass = async (minutes: number) => {
  for (let left = minutes; left > 0; left -= EACH) {
    await passMinutes(building, Math.min(left, EACH));
    await tell(building);
  }
};
const told = async (person: Person | undefined) => {
  await tell(building);
  return offersTo(someone(person));
};
const turns = async () => {
  await tell(building);
  return building.rows("select id, availability_id, offered_until from parking.wishes order by id");
};

describe("offer_minutes", () => {
  it("gives each who waits their time, in the order of asking, and says so to all", async () => {
    const asked = await wishes(alice, bob, carol);
    const window = await publish();
    const offers = await several(3, (i) => readWish(someone(people[i]), asked[i] as Wish));
    const minutes = (from = "", until = "") => (Date.parse(until) - Date.parse(from)) / 60_000;
    for (const [i, offer] of offers.entries()) {
      expect(offer.availability_id).toBe(window.id);
      expect(minutes(offer.offered_from, offer.offered_until)).toBe(EACH);
      expect(minutes(offers[0]?.offered_from, offer.offered_from)).toBe(i * EACH);
    }
    const { start_time, end_time } = window;
    const { spot_number } = (await stored(building, "spots", spot.id)) as Spot;
    const { offered_from, offered_until } = offers[1] as Wish;
    expect(await told(bob)).toMatchObject([
      {
        message: expect.stringMatching(
          /^Parking spot .* as you wished\. Only you can claim it from .* to .* UTC$/,
        ),
        data: { spot_number, start_time, end_time, offered_from, offered_until },
      },
    ]);

    const body = { availability_id: window.id, start_time, end_time };
    for (const person of [outsider, someone(bob), administrator]) {
      expect(await outcome(person, window)).toBe(WAIT);
      expect(answerOf(await person.post("/claims", body))).toEqual(
        refusal(
          409,
          `Until ${offers[0]?.offered_until} this is offered to somebody who waited for it`,
        ),
      );
    }
    expect(await outsider.sqlError(...doors.claim(window).sql)).toMatchObject({
      hint: expect.stringContaining(offers[0]?.offered_until ?? ""),
    });
    expect(await outcome(alice, window)).toBe("done");
  });

  it.each([0, 10, 11])("makes of twelve turns number %i theirs alone", async (number) => {
    await wishes(...people);
    // Before the job has told anybody, too.
    const window = await windowOf(owner, spot, 20, 28);
    for (const person of [outsider, people[1]]) expect(await outcome(person, window)).toBe(WAIT);
    await tell(building);
    await pass(number * EACH + 5);
    for (const [i, person] of people.entries())
      if (i !== number) expect(await outcome(person, window)).toBe(WAIT);
    expect(await outcome(outsider, window)).toBe(WAIT);
    expect(await outcome(people[number], window)).toBe("done");
  });

  it("leaves the window to everybody after the last, when all were told", async () => {
    await wishes(...people);
    const window = await publish();
    await pass(12 * EACH - 5);
    expect(await outcome(outsider, window)).toBe(WAIT);
    await pass(10);
    for (const person of people) expect(await told(person)).toHaveLength(1);
    expect(await outcome(outsider, window)).toBe("done");
  });

  it.each([
    ["withdraws", ({ id }: Wish, person: Person) => person.delete(`/wishes/${id}`, 200)],
    ["is suspended", (_: Wish, person: Person) => suspend(building, person)],
    [
      "is erased",
      (_: Wish, { id }: Person) => administrator.delete(`/admin/profiles/${id}?reason=left`, 200),
    ],
    ["claims another window", (_: Wish, person: Person, spare: Window) => claimOf(person, spare)],
  ])("is for the next at once when the first %s", async (_how, leave) => {
    const first = await building.resident();
    const spare = await another();
    const [asked] = await wishes(first, bob, carol);
    const window = await publish();
    await leave(asked as Wish, first, spare);
    expect(await outcome(carol, window)).toBe(WAIT);
    expect(await outcome(bob, window)).toBe("done");
  });

  it.each([
    ["one after the other", another],
    ["at once", async () => windowOf(owner, await spotOf(owner), 20, 28)],
  ])("offers several windows to several people: %s", async (_how, make) => {
    await wishes(alice, bob, carol);
    const [first, second, third, fourth] = (await several(4, make)) as [
      Window,
      Window,
      Window,
      Window,
    ];
    await tell(building);
    expect(await outcome(alice, second)).toBe(WAIT);
    expect(await outcome(outsider, third)).toBe(WAIT);
    expect(await outcome(outsider, fourth)).toBe("done");
    for (const [person, window] of [
      [carol, third],
      [bob, second],
      [alice, first],
    ] as const)
      expect(await outcome(person, window)).toBe("done");
  });

  it("is told once to each, where several windows become free at once", async () => {
    await wishes(alice, bob, carol);
    for (let i = 0; i < 3; i++) await windowOf(owner, await spotOf(owner), 20, 28);
    await tell(building);
    const times = await building.rows(
      `select count(*)::integer as times from private.events e
        where e.type = 'notification.created' and e.subject_id in (select id from parking.wishes)
        group by e.subject_id`,
    );
    expect(times).toEqual([{ times: 1 }, { times: 1 }, { times: 1 }]);
    // A wish that is being written may have seen less: what became free stays known for some seconds.
    expect(await building.rows("select from private.freed_times")).not.toEqual([]);
    await building.rows("update private.freed_times set freed_at = freed_at - interval '11 s'");
    await tell(building);
    expect(await building.rows("select from private.freed_times")).toEqual([]);
  });

  it("goes to who has none, for lack of time, when another leaves", async () => {
    await setLimits(building, { offer_minutes: 2_000 });
    const [first, second] = await wishes(alice, bob);
    const window = await publish();
    await someone(alice).delete(`/wishes/${first?.id}`, 200);
    expect(await outcome(outsider, window)).toBe(WAIT);
    await tell(building);
    expect((await readWish(someone(bob), second as Wish)).availability_id).toBe(window.id);
  });

  it("is an administrator's too, who cancelled the claim of another", async () => {
    const claim = await claimOf(outsider, await publish());
    await wish(administrator);
    const reason = { status: "cancelled", reason: "Repairs" };
    await administrator.put(`/admin/claims/${claim.id}`, reason, 200);
    expect(await told(administrator)).toHaveLength(1);
  });

  it("begins when the spot moves to the section of the wish", async () => {
    const asked = await wishOf(someone(alice), 21, 22, { building_section: "Deck" });
    const window = await publish();
    expect(await told(alice)).toEqual([]);
    await owner.put(`/parking-spots/${spot.id}`, { building_section: "Deck" }, 200);
    expect(await outcome(outsider, window)).toBe(WAIT);
    await tell(building);
    expect((await readWish(someone(alice), asked)).availability_id).toBe(window.id);
  });

  it.each([
    ["the wish begins", {}, 21],
    ["it is too late to claim", { claim_notice_minutes: 60 }, 20],
  ])("ends when %s", async (_when, limits, hour) => {
    await setLimits(building, { offer_minutes: 2_000, ...limits });
    const [first, second] = await wishes(alice, bob);
    await publish();
    expect((await readWish(someone(alice), first as Wish)).offered_until).toBe(hours(hour));
    expect(await readWish(someone(bob), second as Wish)).not.toHaveProperty("availability_id");
  });

  it("is not for those whose time starts too soon for them to claim it", async () => {
    await setLimits(building, { offer_minutes: EACH, claim_notice_minutes: 1_440 });
    await wish(alice);
    const window = await publish(20, 40);
    expect(await told(alice)).toEqual([]);
    expect(await outcome(alice, window, 21, 22)).toBe("claims_with_notice");
    expect(await outcome(outsider, window, 30, 31)).toBe("done");
  });

  it("turned off, binds nobody; turned on again, keeps what was promised", async () => {
    await wish(alice);
    const window = await publish();
    await setLimits(building, { offer_minutes: null });
    const claim = await claimOf(outsider, window);
    await outsider.delete(`/claims/${claim.id}`, 200);
    await setLimits(building, { offer_minutes: 5 }); // before anybody looks
    for (const minutes of [EACH - 1, 1]) {
      expect(await outcome(outsider, window)).toBe(WAIT);
      await passMinutes(building, minutes);
    }
    expect(await outcome(outsider, window)).toBe("done");
  });

  it.each([
    ["is deleted", ({ id }: Claim) => outsider.delete(`/claims/${id}`, 200)],
    ["is cancelled", (claim: Claim) => cancel(outsider, claim)],
    ["is cancelled, and what its owner kept is given back", undefined],
  ])("begins anew where a claim of the window %s", async (_how, end) => {
    await wish(alice);
    const window = await publish();
    await passMinutes(building, EACH);
    const claim = await claimOf(outsider, window);
    expect(await outcome(alice, window)).toBe("claims_one_per_availability");
    await tell(building);
    if (end) await end(claim);
    else {
      await cancel(outsider, claim);
      const kept = await except(owner, "keep", spot, 20, 28);
      await tell(building);
      await undo(owner, kept);
    }
    for (const look of [async () => {}, tell]) {
      await look(building);
      expect(await outcome(outsider, window)).toBe(WAIT);
    }
    expect(await outcome(alice, window)).toBe("done");
  });

  it("passes to a second window when the owner of the first withdraws it, or makes it too short", async () => {
    await wish(alice);
    const first = await publish();
    const second = await another();
    await owner.delete(`/availabilities/${first.id}`, 200);
    expect(await outcome(outsider, second)).toBe(WAIT);
    expect((await told(alice)).map((it) => it.availability_id)).toEqual([second.id]);
    await owner.put(`/availabilities/${second.id}`, { end_time: hours(21.5) }, 200);
    expect(await outcome(outsider, second, 20, 21.5)).toBe("done");
  });

  it("lets who has it claim a part of it and move that, while the next waits", async () => {
    await wishes(alice, bob);
    const window = await publish();
    const claim = await claimed(alice, window, 23, 24);
    await passMinutes(building, EACH);
    expect(await ended(someone(alice), doors.move(claim, 21, 24))).toBe("done");
    expect(await outcome(bob, window)).toBe("claims_one_per_availability");
  });

  it("begins when the owner is approved again, and there is none while they are suspended", async () => {
    const host = await building.resident();
    const window = await windowOf(host, await spotOf(host), 20, 28);
    const allow = async (is_approved: boolean) => {
      await administrator.put(`/admin/profiles/${host.id}`, { is_approved }, 200);
      await tell(building);
    };
    await allow(false);
    const asked = await wish(bob);
    expect(await told(bob)).toEqual([]);
    await allow(true);
    expect(await readWish(someone(bob), asked)).toMatchObject({ availability_id: window.id });
    expect(await outcome(outsider, window)).toBe(WAIT);
    await allow(false);
    expect(await readWish(someone(bob), asked)).not.toHaveProperty("availability_id");
    expect(await told(bob)).toMatchObject([{ resolved_at: expect.any(String) }]);
    await allow(true);
    expect(await outcome(bob, window)).toBe("done");
  });

  it("costs a claim no more where thousands of wishes are over", async () => {
    await writePastRules(
      building,
      `insert into parking.wishes (wisher_id, start_time, end_time)
       select $1, now() - interval '1 day', now() - interval '23 hours'
         from generate_series(1, 20000)`,
      [someone(alice).id],
    );
    await building.rows("analyze parking.wishes");
    const window = await publish();
    const read = await tryWithClaims(building, claimsOf(outsider), async (client) => {
      await run(client, doors.claim(window).sql);
      const { rows } = await client.query<{ rows: number }>(
        `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::integer as rows
           from pg_stat_xact_user_tables where relname = 'wishes'`,
      );
      return rows[0]?.rows;
    });
    expect(read).toBeLessThan(100);
  });
});

describe("nobody keeps a window from others for ever", () => {
  it("by asking again and again, or by ten wishes", async () => {
    const [first] = await wishes(alice);
    const window = await publish();
    await passMinutes(building, EACH);
    await someone(alice).delete(`/wishes/${first?.id}`);
    for (let i = 0; i < 10; i++) await wish(alice, 20 + (i % 3), 24);
    await tell(building);
    expect(await outcome(outsider, window)).toBe("done");
  });

  it.each([
    ["cancel", (claim: Claim) => doors.close(claim, "cancelled")],
    ["delete", doors.remove],
  ])("by claims that they %s themselves", async (_how, end) => {
    const window = await publish();
    const claim = await claimOf(someone(alice), window);
    await wish(alice);
    expect(await ended(someone(alice), end(claim))).toBe("done");
    expect(await told(alice)).toEqual([]);
    expect(await outcome(outsider, window)).toBe("done");
  });
});

describe("where the rest of a window stays on offer", () => {
  beforeEach(() => keepRest(building));

  it("a claim, its end and what the owner needs of another part change no turn", async () => {
    await wish(alice, 26, 28);
    await wish(bob, 26, 28);
    const window = await publish(20, 30);
    await passMinutes(building, EACH + 5); // it is Bob's
    const before = await turns();
    const claim = await claimed(outsider, window, 20, 21);
    expect(await turns()).toEqual(before);
    await cancel(outsider, claim);
    expect(await turns()).toEqual(before);
    const kept = await except(owner, "keep", spot, 22, 23);
    expect(await turns()).toEqual(before);
    await undo(owner, kept);
    expect(await turns()).toEqual(before);
    expect(await outcome(alice, window, 26, 28)).toBe(WAIT);
    expect(await outcome(bob, window, 26, 28)).toBe("done");
  });

  it("a claim and its end of another part begin no turn for who asked meanwhile", async () => {
    const window = await publish();
    await wish(alice, 26, 28);
    for (const person of [someone(alice), outsider])
      await cancel(person, await claimed(person, window, 20, 21));
    expect(await told(alice)).toEqual([]);
    expect(await outcome(outsider, window, 26, 28)).toBe("done");
  });

  it("somebody with an offer of one part keeps no other from others", async () => {
    await wish(alice, 22, 24);
    const window = await publish(20, 30);
    expect(await outcome(bob, window, 23, 25)).toBe(WAIT);
    expect(await outcome(bob, window, 26, 28)).toBe("done");
    const claim = await claimed(outsider, window, 24, 25);
    expect(await ended(outsider, doors.move(claim, 23, 25))).toBe(WAIT);
    await keepRest(building, false);
    expect(await outcome(outsider, window, 28, 30)).toBe("done"); // it is not connected
    expect(await outcome(outsider, window, 20, 21)).toBe(WAIT);
  });

  it("an offer of which a claim or the owner took a part keeps nothing from others", async () => {
    for (const [person, from, to] of [
      [alice, 20, 22],
      [bob, 21, 25],
      [outsider, 24, 26],
    ] as const)
      await wish(person, from, to);
    const window = await publish();
    expect(await outcome(alice, window, 20, 22)).toBe("done");
    expect(await outcome(outsider, window, 24, 26)).toBe("done");
    await wish(alice, 35, 37);
    const next = await publish(30, 38);
    await owner.put(`/availabilities/${next.id}`, { end_time: hours(36) }, 200);
    expect(await outcome(bob, next, 30, 36)).toBe("done");
  });

  it("somebody with two wishes is notified of the second part too, also after the first was ended", async () => {
    await setLimits(building, {});
    const first = await wish(alice, 20, 22);
    const window = await publish();
    const claim = await claimed(outsider, window, 26, 28);
    const second = await wish(alice, 26, 28);
    await claimed(outsider, window, 20, 22);
    await cancel(outsider, claim);
    await tell(building);
    expect(await readWish(someone(alice), first)).not.toHaveProperty("availability_id");
    expect((await readWish(someone(alice), second)).availability_id).toBe(window.id);
  });

  it("a time is told when it comes back: by claims that end, at once too, or become shorter", async () => {
    await setLimits(building, {});
    const window = await publish(20, 30);
    const claim = await claimed(outsider, window, 22, 27);
    await wish(alice, 21, 23);
    await wish(bob, 26, 28);
    const counts = async () => [(await told(alice)).length, (await told(bob)).length];
    await outsider.put(`/claims/${claim.id}`, { end_time: hours(25) }, 200);
    expect(await counts()).toEqual([0, 1]);
    await claimed(outsider, window, 25, 26);
    await wish(carol, 24, 26);
    await building.rows("delete from parking.claims");
    expect([...(await counts()), (await told(carol)).length]).toEqual([1, 1, 1]);
    await building.rows("update parking.notifications set is_read = true");
    await cancel(outsider, await claimed(outsider, window, 29, 30));
    for (const person of [alice, bob])
      expect(await told(person)).toMatchObject([{ is_read: true }]);
  });
});

describe("a pattern and what its owner needs", () => {
  const asks = (person: Person | undefined, from: string, to: string) =>
    someone(person).post("/wishes", timesOn(4, from, to), 201);

  it("a change of the plan that leaves a window as it is changes no turn", async () => {
    for (const person of [alice, bob]) await asks(person, "09:00", "10:00");
    const pattern = await patternOf(owner, threeDays(spot));
    await tell(building);
    await passMinutes(building, EACH + 5);
    const before = await turns();
    await owner.put(`/patterns/${pattern.id}`, { last_day: dayAfter(4) }, 200);
    expect(await turns()).toEqual(before);
  });

  it("a time is told that is free beside what the owner needs, and no other", async () => {
    await asks(alice, "13:00", "15:00");
    await asks(bob, "11:00", "13:00");
    const needed = { kind: "keep", spot_id: spot.id, ...timesOn(4, "10:00", "12:00") };
    await owner.post("/exceptions", needed, 201);
    await patternOf(owner, threeDays(spot));
    expect([await told(alice), await told(bob)]).toMatchObject([[{ kind: "wish.fits" }], []]);
  });
});
