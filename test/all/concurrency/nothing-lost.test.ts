import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { expectConsistency } from "../../concurrency/consistency.ts";
import { several } from "../../concurrency/rivals.ts";
import { claimPart, keepRest } from "../../rules/rest.ts";
import { useArena } from "../../support/arena.ts";
import { hours, spotOf, windowOf } from "../../support/building.ts";
import { effort } from "../../support/effort.ts";
import type { Person } from "../../support/person.ts";
import { random } from "../../support/random.ts";
import { backdate } from "../../support/rows.ts";
import { expectNothingLost, openLedger } from "./ledger.ts";
import { live } from "./random-week.ts";

const WRITERS = 5;
const SEED = effort(20_261_122, Date.now() % 1_000_000);
const READ_COMMITTED = ["read committed"];
const EVERY_LEVEL = ["read committed", "repeatable read", "serializable"];

const building = useArena(WRITERS);
let people: readonly Person[];

/** Each has a spot with a window that has begun, and a claim that has. */
beforeAll(async () => {
  await keepRest(building);
  await openLedger(building);
  people = await several(5, () => building.resident());
  for (const [i, owner] of people.entries()) {
    const window = await windowOf(owner, await spotOf(owner), 1, 30);
    const claim = await claimPart(people[(i + 1) % 5] ?? owner, window, 2, 6);
    await backdate(building, "availabilities", window, -10, 30);
    await backdate(building, "claims", claim, -2, 6);
    const { superuser } = building;
    await superuser.query(
      "insert into public.ledger values ($1, tstzrange($2::timestamptz, $3::timestamptz), 1)",
      [window.spot_id, hours(-10), hours(30)],
    );
  }
  // What is taken and free, and the log, say what the rows say.
  await building.superuser.query(`
    update parking.claims set takes = held;
    select private.set_free(array_agg(a)) from parking.availabilities a;
    insert into private.events (type, subject_id, actor_id, data)
    select 'availability.updated', a.id, a.owner_id, private.event_data('availability', to_jsonb(a))
      from parking.availabilities a;
    select private.recount()`);
});
afterEach(() => expectNothingLost(building));

/** Many changes were made, and others refused: by a rule, for want of the row, or to be tried again. */
function expectOutcomes(outcomes: readonly string[], again: readonly string[]): void {
  const known = ["done", "PT404", ...again];
  expect(outcomes.filter((it) => !known.includes(it) && !/^[a-z]+_[a-z_]+$/.test(it))).toEqual([]);
  expect(outcomes.filter((it) => it === "done").length).toBeGreaterThan(outcomes.length / 4);
}

describe(`free and taken time is exactly what was offered (seed ${SEED})`, () => {
  it("after each of many changes, one after the other", async () => {
    const outcomes = await live(
      building,
      people,
      random(SEED),
      { transactions: effort(120, 1000), isDirect: true, levels: EVERY_LEVEL },
      () => expectNothingLost(building),
    );
    expectOutcomes(outcomes, []);
  }, 300_000);

  it.each([
    ["as the service makes them", false, READ_COMMITTED],
    ["as the service makes them with If-Match", false, EVERY_LEVEL],
    ["also by direct SQL", true, EVERY_LEVEL],
  ])(
    "after changes side by side, %s",
    async (_how, isDirect, levels) => {
      for (let round = 0; round < effort(3, 20); round++) {
        const transactions = effort(40, 100);
        const all = await Promise.all(
          Array.from({ length: WRITERS }, (_, i) =>
            live(building, people, random(SEED + 100 * round + i), {
              transactions,
              isDirect,
              levels,
            }),
          ),
        );
        await expectNothingLost(building);
        expectOutcomes(all.flat(), isDirect ? ["40001", "40P01"] : ["40001"]);
      }
      // Who locks the row before the spot may wait in a circle, which PostgreSQL ends.
      if (!isDirect) await expectConsistency(building);
    },
    300_000,
  );
});
