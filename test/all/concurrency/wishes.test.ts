import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { expectConsistency } from "../../concurrency/consistency.ts";
import { atOnce, connectionsFor, type Rival, several, tally } from "../../concurrency/rivals.ts";
import { useArena } from "../../support/arena.ts";
import { claimOf, hours, spotOf, windowOf } from "../../support/building.ts";
import { setLimits } from "../../support/limits.ts";
import type { Person } from "../../support/person.ts";
import { letPass, seen, tell, wishOf } from "../../support/wishes.ts";
import { cancels, claims, codeOf, withdraws } from "./wish-moves.ts";

const ROUNDS = Number(process.env.RIVAL_ROUNDS ?? 10);
const PATIENCE = 60_000 + ROUNDS * 3_000;
const EACH = 30;

const building = useArena(connectionsFor(14));
let administrator: Person;
let owner: Person;
let passer: Person;
let first: Person;
let second: Person;
beforeAll(async () => {
  administrator = await building.administrator();
  const people = await several(4, () => building.resident());
  [owner, passer, first, second] = people as [Person, Person, Person, Person];
  await setLimits(building, { offer_minutes: EACH });
});
afterEach(async () => {
  await expectConsistency(building);
  for (const table of ["wishes", "claims", "spots"]) {
    await building.rows(`delete from parking.${table}`);
  }
});

const FROM = 40;
const window = async () => windowOf(owner, await spotOf(owner), FROM, FROM + 8);
/** One whose offers those who wait have been told of. */
const offered = async () => {
  const free = await window();
  await tell(building);
  return free;
};
const wish = (person: Person) => wishOf(person, FROM + 1, FROM + 2);

/** It comes to the gate too. */
const passes =
  (minutes: number): Rival =>
  async () => {
    await building.rows("select from parking.profiles");
    await letPass(building, minutes);
    return "200";
  };

/** The job, as each process runs it. */
const tells: Rival = async () => {
  await tell(building);
  return "200";
};

const WAIT = "409 claims_wait_for_offers";
const TAKEN = "400 claims_one_per_availability";

describe("two windows that become free at one moment", () => {
  it(
    "are offered to the two who wait, one each",
    async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const windows = [await window(), await window()] as const;
        const held = await several(2, async (i) => claimOf(passer, windows[i] ?? windows[0]));
        const wishes = [await wish(first), await wish(second)] as const;

        await atOnce(building, [...held.map((claim) => cancels(passer, claim)), tells]);
        await tell(building);

        const offers = [await seen(first, wishes[0]), await seen(second, wishes[1])];
        expect(offers.map((it) => it.availability_id).toSorted()).toEqual(
          windows.map(({ id }) => id).toSorted(),
        );
        for (const { offered_from = "" } of offers) {
          expect(Date.parse(offered_from)).toBeLessThanOrEqual(Date.now() + 1_000);
        }
        await building.rows("delete from parking.wishes");
      }
    },
    PATIENCE,
  );
});

describe("a window that becomes free while somebody else wants it", () => {
  it(
    "is theirs who wait: the other comes too early or is refused",
    async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const free = await window();
        const claim = await claimOf(passer, free);
        await wish(first);
        const [cancelled, other = "", told] = await atOnce(building, [
          cancels(passer, claim),
          claims(second, free),
          tells,
        ]);
        expect([cancelled, told]).toEqual(["200", "200"]);
        expect([WAIT, TAKEN]).toContain(other);
        expect(await claims(second, free)()).toBe(WAIT);
        expect(await claims(first, free)()).toBe("201");
      }
    },
    PATIENCE,
  );
});

describe("an offer that ends at this moment", () => {
  it(
    "goes to its holder or to the next, and to nobody else",
    async () => {
      for (let round = 0; round < ROUNDS; round++) {
        await wish(first);
        await wish(second);
        const free = await offered();
        const [passed, one = "", next = "", outside] = await atOnce(building, [
          passes(EACH),
          claims(first, free),
          claims(second, free),
          claims(passer, free),
        ]);
        expect(passed).toBe("200");
        expect([one, next].filter((outcome) => outcome === "201").length).toBeLessThanOrEqual(1);
        expect([one, next].every((outcome) => ["201", WAIT, TAKEN].includes(outcome))).toBe(true);
        expect([WAIT, TAKEN]).toContain(outside);
        await building.rows("delete from parking.wishes");
      }
    },
    PATIENCE,
  );

  it(
    "is over for all at once when the setting is taken back",
    async () => {
      for (let round = 0; round < ROUNDS; round++) {
        await wish(first);
        const free = await offered();
        const outcomes = await atOnce(building, [
          () => codeOf(administrator.put("/admin/building", { offer_minutes: null })),
          claims(first, free),
          claims(passer, free),
        ]);
        const { 201: won } = tally(outcomes.slice(1));
        expect([outcomes[0], won]).toEqual(["200", 1]);
        await setLimits(building, { offer_minutes: EACH });
        await building.rows("delete from parking.wishes");
      }
    },
    PATIENCE,
  );
});

describe("who waits and leaves at that moment", () => {
  it(
    "has the window or not, and the other has it in the end",
    async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const one = await wish(first);
        await wish(second);
        const free = await offered();
        const [withdrawn, claimed = "", next = ""] = await atOnce(building, [
          withdraws(first, one),
          claims(first, free),
          claims(second, free),
        ]);
        expect(withdrawn).toBe("200");
        if (claimed !== "201" && next !== "201") expect(await claims(second, free)()).toBe("201");
        await building.rows("delete from parking.wishes");
      }
    },
    PATIENCE,
  );

  it(
    "is told nothing any more once erased",
    async () => {
      for (let round = 0; round < Math.ceil(ROUNDS / 3); round++) {
        const leaving = await building.resident();
        const claim = await claimOf(passer, await window());
        await wish(leaving);
        await wish(second);
        const outcomes = await atOnce(building, [
          () => codeOf(administrator.delete(`/admin/profiles/${leaving.id}?reason=Left`)),
          cancels(passer, claim),
          tells,
        ]);
        expect(outcomes).toEqual(["200", "200", "200"]);
        await tell(building);
        const left = await building.rows(
          `select from parking.notifications where recipient_id = $1
         union all select from parking.wishes where wisher_id = $1`,
          [leaving.id],
        );
        expect(left).toEqual([]);
        await building.rows("delete from parking.wishes");
      }
    },
    PATIENCE,
  );
});

describe("wishes_ten_open_at_most", () => {
  it("is exact for fourteen wishes of one resident at one moment", async () => {
    const times = { start_time: hours(FROM), end_time: hours(FROM + 1) };
    const rivals = await several(14, async (): Promise<Rival> => {
      return () => codeOf(first.post("/wishes", times));
    });
    expect(tally(await atOnce(building, rivals))).toEqual({
      "201": 10,
      "409 wishes_ten_open_at_most": 4,
    });
  });
});
